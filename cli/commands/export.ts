import { lstat, readdir } from "node:fs/promises";
import { basename, extname, resolve } from "node:path";
import type { PdfStandard } from "#core/export/printing.ts";
import { CliError, exit, invalidInputError, type Problem } from "../exit.ts";
import { filterFlags } from "../list-filters.ts";
import type { ExportFormat } from "../option-values.ts";
import { writeFileAtomically } from "../files.ts";
import { hasExport, writeExportFolder, type WriteFile } from "../export/folder.ts";
import { exportEach } from "../left-out-sops.ts";
import { openSource, type ExportSourceOptions } from "../export/open.ts";
import { writeMarkdown, writePages } from "../export/pages.ts";
import type { ExportEntry, DocumentSource } from "../export/source.ts";
import type { CommandContext, CommandResult } from "../context.ts";

export interface ExportCommandOptions extends ExportSourceOptions {
  format: ExportFormat;
  output?: string;
  standard?: PdfStandard;
  force?: boolean;
  title?: string;
  control: boolean;
}

export async function exportSops(
  context: CommandContext,
  ids: string[],
  options: ExportCommandOptions,
): Promise<CommandResult> {
  refuseConflictingOptions(ids, options);
  // The command refuses an existing target before it sends a request.
  const given = options.output === undefined || options.output === "-" ? null : options.output;
  if (given !== null) await refuseExistingTarget(context, given, options);
  const source = await openSource(context, ids, options);
  try {
    const target = options.output ?? defaultTargetOf(options.format, source.entries);
    if (source.entries.length === 0) {
      const [unread] = source.leftOut;
      if (unread !== undefined) throw new CliError(exit.network, unread);
      context.out.note("Nothing to export.");
      const folder = resolve(context.cwd, target ?? "-");
      const isEmptied = options.force === true && (await hasExport(folder, options.format));
      if (options.format !== "json" && !isEmptied) return { exit: exit.done, data: { files: [] }, text: "" };
    }
    if (given === null && target !== null && target !== "-") await refuseExistingTarget(context, target, options);
    return await writeExport(context, source, { ...options, isFullExport: isFullExport(ids, options) }, target);
  } finally {
    await source.close();
  }
}

/** Without `-o`, texts go to stdout (null) and other formats to a file or folder in the working folder. */
function defaultTargetOf(format: ExportFormat, entries: readonly ExportEntry[]): string | null {
  if (format === "md" || format === "json") return null;
  if (format === "site") return "site";
  if (format === "bundle") return "sops.zip";
  const [only] = entries;
  return entries.length === 1 && only ? `${basename(only.path)}.${format}` : "export";
}

/** Says whether the export covers all SOPs: a site always does, other formats if no SOPs were chosen. */
function isFullExport(ids: readonly string[], options: ExportCommandOptions): boolean {
  return options.format === "site" || (ids.length === 0 && filterFlags.every((name) => options[name] === undefined));
}

async function writeExport(
  context: CommandContext,
  source: DocumentSource,
  options: ExportCommandOptions & { isFullExport: boolean },
  target: string | null,
): Promise<CommandResult> {
  const { format, standard = null } = options;
  const { out } = context;
  if (format === "json") {
    const { text, failed } = await sopsAsJson(context, source);
    return await writeSingleResult(context, text, options, target, source, failed);
  }
  if (format === "bundle") {
    const { packBundle } = await import("../export/bundle.ts");
    const { bytes, failed } = await packBundle(source, standard, out);
    return await writeSingleResult(context, bytes, options, target, source, failed);
  }
  let failed: Problem[] = [];
  const writeFiles = async (writeFile: WriteFile): Promise<void> => {
    if (format === "md") failed = await writeMarkdown(source, out, writeFile);
    else if (format === "site")
      failed = await (await import("../export/site.ts")).writeSite(source, options, out, writeFile);
    else failed = await writePages(source, format, standard, out, writeFile);
  };
  if (format === "site" || (target !== null && target !== "-" && !isSingleFile(format, target))) {
    const folder = target ?? "site";
    const isWhole = () => options.isFullExport && failed.length + source.leftOut.length === 0;
    const output = resolve(context.cwd, folder);
    const { files, removed, kept } = await writeExportFolder(output, format, writeFiles, isWhole);
    for (const path of removed) out.note(`removed ${path}: this export doesn't have it`);
    const why = isWhole() ? "it was changed since the earlier export" : "this export isn't whole";
    for (const path of options.isFullExport ? kept : []) out.note(`kept ${path}: ${why}`);
    return {
      ...exitAndErrorsOf(source, failed),
      data: { format, output, files, removed },
      text: exportSummaryText(source, folder, failed.length),
    };
  }
  const [entry] = source.entries;
  if (entry === undefined || source.entries.length > 1) {
    throw invalidInputError("usage", `${sopCountText(source)} don't fit into one file`, {
      hint: "name a folder: -o <folder>",
    });
  }
  if (format === "md") return await writeSingleResult(context, await source.text(entry), options, target, source);
  const made = await source.renderFile(entry, format, standard);
  for (const warning of made.warnings) out.note(`${entry.number}: ${warning}`);
  return await writeSingleResult(context, made.bytes, options, target, source);
}

/** Writes a single result to a file or to stdout. */
async function writeSingleResult(
  context: CommandContext,
  data: string | Uint8Array,
  { format }: ExportCommandOptions,
  target: string | null,
  source: DocumentSource,
  errors: readonly Problem[] = [],
): Promise<CommandResult> {
  const ending = exitAndErrorsOf(source, errors);
  if (target !== null && target !== "-") {
    const file = resolve(context.cwd, target);
    await writeFileAtomically(file, data);
    const [entry] = source.entries;
    const text =
      source.entries.length === 1 && entry && format !== "json"
        ? `Exported ${entry.number} to ${target}\n`
        : exportSummaryText(source, target, errors.length);
    return { ...ending, data: { format, output: file, files: [file] }, text };
  }
  if (typeof data === "string") return { ...ending, data: stdoutData(data, format, source), text: data };
  if (context.flags.json)
    throw invalidInputError("usage", "--json can't be used with a file on stdout", { hint: "name a file: -o <file>" });
  if (process.stdout.isTTY)
    throw invalidInputError("usage", "a terminal can't show this file", { hint: "name a file: -o <file>" });
  await context.out.write(data);
  return { ...ending, data: null, streamed: true };
}

/** The exit code, and the problems of documents that are left out. */
function exitAndErrorsOf({ leftOut }: DocumentSource, failed: readonly Problem[]) {
  const errors = [...leftOut, ...failed];
  return { exit: errors.length === 0 ? exit.done : exit.partly, errors };
}

function stdoutData(text: string, format: ExportFormat, { entries: [entry] }: DocumentSource): unknown {
  if (format === "json") return (JSON.parse(text) as { data: unknown }).data;
  return { id: entry?.id ?? null, number: entry?.number ?? null, text };
}

async function sopsAsJson(
  { out }: CommandContext,
  source: DocumentSource,
): Promise<{ text: string; failed: Problem[] }> {
  const { made, failed } = await exportEach(source.entries, out, (entry) => source.json(entry));
  return { text: `${JSON.stringify({ schema: "sop.export/1", data: made }, null, 2)}\n`, failed };
}

function exportSummaryText(source: DocumentSource, folder: string, failed: number): string {
  const made = failed === 0 ? "" : `${source.entries.length - failed} of `;
  return `Exported ${made}${sopCountText(source)} to ${folder}\n`;
}

function sopCountText({ entries: { length } }: DocumentSource): string {
  return `${length} SOP${length === 1 ? "" : "s"}`;
}

const endings: Partial<Record<ExportFormat, RegExp>> = {
  md: /\.(md|markdown)$/i,
  html: /\.html?$/i,
  pdf: /\.pdf$/i,
  docx: /\.docx$/i,
};

/**
 * Says whether the export is one file: always for JSON and bundles, otherwise if the target has the format's extension.
 */
function isSingleFile(format: ExportFormat, target: string): boolean {
  return format === "json" || format === "bundle" || endings[format]?.test(target) === true;
}

function refuseConflictingOptions(ids: readonly string[], options: ExportCommandOptions): void {
  const { format, rev, standard, output } = options;
  if (format !== "site" && (options.title !== undefined || !options.control))
    throw invalidInputError("usage", "--title and --no-control work only with a site", { hint: "--format site" });
  if (rev !== undefined && ids.length !== 1)
    throw invalidInputError("usage", "--rev needs exactly one SOP", { hint: "sop export SOP-0042 --rev 3" });
  if (rev !== undefined && format === "site") throw invalidInputError("usage", "--rev can't be used with a site");
  if (standard !== undefined && format !== "pdf" && format !== "bundle")
    throw invalidInputError("usage", "--standard works only with PDFs", { hint: "--format pdf" });
  if (format === "site" && output === "-")
    throw invalidInputError("usage", "a site needs a folder", { hint: "name it: -o <folder>" });
  const ending = output === undefined ? "" : extname(output).toLowerCase();
  const other = Object.entries(endings).find(([name, pattern]) => name !== format && pattern.test(ending));
  if (other && output !== undefined && isPageFormat(format)) {
    throw invalidInputError("usage", `${output} ends as ${other[0]}, but --format is ${format}`, {
      hint: `--format ${other[0]}, or -o <name>.${format}`,
    });
  }
}

function isPageFormat(format: ExportFormat): boolean {
  return format in endings;
}

/** Refuses an existing target without --force. */
async function refuseExistingTarget(
  context: CommandContext,
  named: string,
  { format, force }: ExportCommandOptions,
): Promise<void> {
  if (force === true) return;
  const entry = await lstat(resolve(context.cwd, named)).catch(() => null);
  if (entry === null) return;
  const hint = "choose another place, or add --force";
  if (!entry.isDirectory()) throw invalidInputError("exists", `${named} exists`, { path: named, hint });
  if (isSingleFile(format, named))
    throw invalidInputError("exists", `${named} is a folder; this writes one file`, { path: named });
  if ((await readdir(resolve(context.cwd, named))).length > 0)
    throw invalidInputError("exists", `${named} is not empty`, { path: named, hint });
}
