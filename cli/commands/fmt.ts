import { join, resolve } from "node:path";
import { createConfigFiles } from "../config/find.ts";
import { findDialect, loadConfigLayers } from "../config/resolve.ts";
import { exit, type Problem } from "../exit.ts";
import { writeFileAtomically } from "../files.ts";
import { formatFile } from "../format-file.ts";
import { printLeftOut } from "../left-out.ts";
import { openTexts, asFileProblem, type TextFile } from "../texts.ts";
import type { CommandContext, CommandResult } from "../context.ts";

export interface FmtOptions {
  check?: boolean;
  diff?: boolean;
  ext?: string[];
}

interface FormattedFile {
  path: string;
  changed: boolean;
  diff?: string;
  /** The formatted text, if it was read from stdin. */
  text?: string;
}

export async function formatFiles(
  context: CommandContext,
  paths: string[],
  options: FmtOptions,
): Promise<CommandResult> {
  const texts = await openTexts(context, paths, "stdin", options.ext ?? []);
  const problems: Problem[] = [...texts.problems];
  const files: FormattedFile[] = [];
  let stdout = "";
  const configs = createConfigFiles(context.flags.config && resolve(context.cwd, context.flags.config));
  for await (const source of texts.each()) {
    if ("code" in source) {
      problems.push(source);
      continue;
    }
    try {
      const place = source.file ?? join(context.cwd, source.path);
      const text = formatFile(source.text, source.path, {
        dialect: findDialect(place, await loadConfigLayers(place, configs)).value,
        note: (message) => context.out.note(`${source.path}: ${message}`),
      });
      const changed = text !== source.text;
      const formatted: FormattedFile = { path: source.path, changed };
      if (options.diff && changed) formatted.diff = await formatDiffOf(source, text);
      if (source.file === null) formatted.text = text;
      files.push(formatted);
      if (options.diff || options.check)
        stdout += formatted.diff ?? (changed && !options.diff ? `${source.path}\n` : "");
      else stdout += await writeFormattedText(source, text, changed);
    } catch (error) {
      problems.push(asFileProblem(source.path, error));
    }
  }
  const changed = files.filter((file) => file.changed).length;
  printFormatSummary(context, options, changed, files.length);
  printLeftOut(context.out, texts.leftOut);
  const data = { files, leftOut: texts.leftOut };
  return { exit: formatExitCode(options, problems, files.length, changed), data, text: stdout, errors: problems };
}

/**
 * Writes a formatted text back to its file.
 * @returns the text for stdout: the formatted text of stdin, or the name of the rewritten file
 */
async function writeFormattedText({ file, path }: TextFile, text: string, changed: boolean): Promise<string> {
  if (file === null) return text;
  if (!changed) return "";
  await writeFileAtomically(file, text);
  return `${path}\n`;
}

async function formatDiffOf({ path, text }: TextFile, formatted: string): Promise<string> {
  const { createTwoFilesPatch } = await import("diff");
  return createTwoFilesPatch(`a/${path}`, `b/${path}`, text, formatted);
}

function printFormatSummary(
  { out }: CommandContext,
  { check, diff }: FmtOptions,
  changed: number,
  total: number,
): void {
  const done = check || diff ? "would change" : "changed";
  out.note(`${changed} of ${total} ${total === 1 ? "file" : "files"} ${done}`);
}

function formatExitCode({ check }: FmtOptions, problems: readonly Problem[], total: number, changed: number): number {
  const refused = problems.some(({ code }) => code === "tree" || code === "dialect");
  if (problems.length > 0) return total > 0 || refused ? exit.partly : exit.invalid;
  return check && changed > 0 ? exit.findings : exit.done;
}
