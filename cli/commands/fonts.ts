import { readdir } from "node:fs/promises";
import { resolve } from "node:path";
import { fontSetNames, fontSets, type FontSetName } from "#core/export/fonts.ts";
import { alignedColumns } from "../columns.ts";
import { exit, invalidInputError } from "../exit.ts";
import { fetchFonts, fontFilePrefix } from "../fonts/fetch.ts";
import { fontFolder } from "../fonts/folder.ts";
import type { CommandContext, CommandResult } from "../context.ts";

interface FontsOptions {
  fonts?: string;
}

export async function listFonts(context: CommandContext, options: FontsOptions): Promise<CommandResult> {
  const folder = fontFolderOf(context, options);
  const files = await readdir(folder).catch((): string[] => []);
  const sets = fontSetNames.map((name) => {
    const set = fontSets[name];
    return { name, label: set.label, added: files.includes(`${fontFilePrefix(set)}_400Regular.ttf`) };
  });
  const rows = sets.map(({ name, label, added }) => [name, label, added ? "added" : "-"]);
  return { exit: exit.done, data: { folder, sets }, text: `${alignedColumns(rows)}in ${folder}\n` };
}

export async function addFonts(
  context: CommandContext,
  names: readonly string[],
  options: FontsOptions,
): Promise<CommandResult> {
  const unknown = names.find((name) => !isFontSetName(name));
  if (unknown !== undefined) {
    throw invalidInputError("no_fonts", `${unknown} is not a set of fonts`, {
      hint: `sets: ${fontSetNames.join(", ")}`,
    });
  }
  const folder = fontFolderOf(context, options);
  const lines: string[] = [];
  for (const name of names.filter(isFontSetName)) {
    context.out.progress(`fetching ${fontSets[name].package.name}`);
    const bytes = await fetchFonts(fontSets[name], folder, context.signal);
    lines.push(`Added ${fontSets[name].label} (${(bytes / 2 ** 20).toFixed(1)} MB) to ${folder}\n`);
  }
  context.out.progress(null);
  return { exit: exit.done, data: { folder, added: names }, text: lines.join("") };
}

function fontFolderOf({ cwd, env }: CommandContext, { fonts }: FontsOptions): string {
  return fonts === undefined ? fontFolder(env) : resolve(cwd, fonts);
}

function isFontSetName(name: string): name is FontSetName {
  return Object.hasOwn(fontSets, name);
}
