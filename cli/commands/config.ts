/** `sop config print|check|schema`: a document's settings, and the file that sets each. */
import { readdirSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { defaultSettings } from "#core/lint/settings.ts";
import { presets } from "#core/lint/presets.ts";
import { alignedColumns } from "../columns.ts";
import { configNames, createConfigFiles } from "../config/find.ts";
import { ConfigError } from "../config/read.ts";
import { defaultPreset, findDialect, mergeConfigs, loadConfigLayers, type ConfigLayer } from "../config/resolve.ts";
import { configJsonSchema } from "../config/schema.ts";
import type { CommandContext, CommandResult } from "../context.ts";
import { CliError, exit, invalidInputError, type Problem } from "../exit.ts";
import { createIgnoreCheck } from "../ignore-files.ts";
import { projectRootOf } from "../workspace.ts";

export interface ConfigRow {
  key: string;
  value: unknown;
  /** The source of the value: a position in a config file, the name of a preset, or `default`. */
  origin: string;
}

export async function printConfig({ flags, cwd }: CommandContext, options: { for?: string }): Promise<CommandResult> {
  const document = resolve(cwd, options.for ?? "document.md");
  const files = createConfigFiles(flags.config && resolve(cwd, flags.config));
  const parts = await loadConfigLayers(document, files);
  const dialect = { key: "dialect", ...findDialect(document, parts) };
  const rows = [...configRowsWithOrigins(parts), dialect].map((row) => ({
    ...row,
    origin: shortenedOrigin(row.origin, cwd),
  }));
  const used = (await files.forFolder(dirname(document))).map(({ file }) => shortenedOrigin(file, cwd));
  const text = alignedColumns(rows.map(({ key, value, origin }) => [key, configValueText(value), origin]));
  return { exit: exit.done, data: { document: relative(cwd, document), files: used, rows }, text };
}

/**
 * Lists all rules and settings with their origins.
 * @param parts config layers from the weakest to the strongest; the last one that sets a key is the key's origin
 */
function configRowsWithOrigins(parts: readonly ConfigLayer[]): ConfigRow[] {
  const { preset, rules, settings } = mergeConfigs(parts);
  const originOf = (path: readonly PropertyKey[], valueOf: (part: ConfigLayer) => unknown) =>
    parts.findLast((part) => valueOf(part) !== undefined)?.origin(path);
  const ruleRow = (id: string): ConfigRow => ({
    key: `rules.${id}`,
    value: rules[id] ?? presets[preset].rules[id] ?? "off",
    origin: originOf(["rules", id], (part) => part.rules?.[id]) ?? `preset ${preset}`,
  });
  const settingRows = (key: keyof typeof settings | keyof typeof defaultSettings): ConfigRow[] => {
    const value = settings[key] ?? defaultSettings[key];
    if (key === "limits" || key === "terms") {
      const all = { ...defaultSettings[key], ...settings[key] } as Record<string, unknown>;
      return Object.entries(all).map(([name, one]) => ({
        key: `${key}.${name}`,
        value: one,
        origin:
          originOf([key, name], ({ settings: own }) => (own?.[key] as Record<string, unknown>)?.[name]) ?? "default",
      }));
    }
    const origin = originOf([key], (part) => part.settings?.[key]) ?? "default";
    return value === undefined ? [] : [{ key, value, origin }];
  };
  return [
    { key: "preset", value: preset, origin: originOf(["preset"], (part) => part.preset) ?? "default" },
    ...settingRows("idPattern"),
    ...settingRows("lang"),
    ...settingRows("acronyms"),
    ...settingRows("sections"),
    ...settingRows("terms"),
    ...settingRows("limits"),
    ...[...new Set([...Object.keys(presets[defaultPreset].rules), ...Object.keys(rules)])].map(ruleRow),
  ];
}

function configValueText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function shortenedOrigin(origin: string, cwd: string): string {
  return origin.startsWith("/") || /^[A-Z]:/.test(origin) ? relative(cwd, origin) : origin;
}

/** Checks every config file of the workspace, or only the file that `--config` names. */
export async function checkConfigFiles({ flags, cwd, out }: CommandContext): Promise<CommandResult> {
  const named = flags.config && resolve(cwd, flags.config);
  const found = named === undefined ? findConfigFilesBelow(projectRootOf(cwd, cwd)) : [named];
  if (found.length === 0) {
    throw invalidInputError("no_match", `no ${configNames[0]} here or below`, { hint: "sop init writes one" });
  }
  const problems: Problem[] = [];
  for (const file of found) {
    try {
      await createConfigFiles(file).forFolder(dirname(file));
    } catch (error) {
      if (!(error instanceof CliError) || error.problem.code !== "config") throw error;
      problems.push(...(error instanceof ConfigError ? error.problems : [error.problem]));
    }
  }
  const files = found.map((file) => relative(cwd, file));
  out.note(`${files.length} config ${files.length === 1 ? "file" : "files"}, ${problems.length} wrong`);
  const text = problems.length === 0 ? files.map((file) => `${file}\n`).join("") : "";
  return { exit: problems.length === 0 ? exit.done : exit.invalid, data: { files }, text, errors: problems };
}

function findConfigFilesBelow(root: string): string[] {
  const isIgnored = createIgnoreCheck(root);
  const configPathsIn = (folder: string): string[] =>
    readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isFile()) return (configNames as readonly string[]).includes(entry.name) ? [path] : [];
      return entry.isDirectory() && !entry.name.startsWith(".") && !isIgnored(path, true) ? configPathsIn(path) : [];
    });
  return configPathsIn(root).sort();
}

export async function printSchema(): Promise<CommandResult> {
  const schema = configJsonSchema();
  return { exit: exit.done, data: schema, text: `${JSON.stringify(schema, null, 2)}\n` };
}
