/** Selects the documents of a run. */
import { resolve } from "node:path";
import type { CommandContext } from "../context.ts";
import type { Problem } from "../exit.ts";
import { decodeSource } from "../read-source.ts";
import type { LeftOut } from "../left-out.ts";
import { findMarkdown } from "../walk.ts";
import type { LintFlags } from "./flags.ts";
import { unreadableFileFinding } from "./read.ts";
import { createTargetFinder, type LintTarget } from "./targets.ts";

export interface LintSelection {
  targets: LintTarget[];
  /** Named files that can't be linted, with the reason. */
  problems: readonly Problem[];
  leftOut: readonly LeftOut[];
}

/** @throws exit 2 for a path that matches nothing */
export async function selectTargets(
  context: CommandContext,
  paths: readonly string[],
  flags: LintFlags,
): Promise<LintSelection> {
  const { cwd, signal } = context;
  const targetOf = createTargetFinder(cwd);
  if (paths.includes("-"))
    return { targets: [await readStdinTarget(context, flags, targetOf)], problems: [], leftOut: [] };
  const { files, refused, leftOut } = await findMarkdown(paths.length === 0 ? ["."] : paths, cwd, {
    ext: flags.ext ?? [],
  });
  const targets = files
    .map(({ file }) => targetOf(file))
    .sort((a, b) => (a.shown < b.shown ? -1 : a.shown > b.shown ? 1 : 0));
  if (flags.changed === undefined) return { targets, problems: refused, leftOut };
  const { findChangedFiles } = await import("./changed.ts");
  const changed = await findChangedFiles(flags.changed, cwd, signal);
  return { targets: targets.filter(({ file }) => changed.has(file)), problems: refused, leftOut: [] };
}

async function readStdinTarget(
  { cwd, stdin }: CommandContext,
  { stdinFilename }: LintFlags,
  targetOf: (file: string, text: string) => LintTarget,
): Promise<LintTarget> {
  const shown = stdinFilename ?? "stdin";
  const file = resolve(cwd, stdinFilename ?? "stdin.md");
  try {
    return { ...targetOf(file, decodeSource(await stdin(), shown).text), shown };
  } catch (error) {
    return { ...targetOf(file, ""), shown, unreadable: unreadableFileFinding(shown, error) };
  }
}
