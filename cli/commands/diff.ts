import { exit, invalidInputError } from "../exit.ts";
import { compareFile, compareOnServer, isSopReference } from "../workspace/compared.ts";
import { lineDiff, comparisonStatOf, diffStatText, wordDiff } from "../workspace/diff-text.ts";
import type { CommandContext, CommandResult } from "../context.ts";

export interface DiffOptions {
  word?: boolean;
  stat?: boolean;
  html?: boolean;
  exitCode?: boolean;
}

export async function showDiff(
  context: CommandContext,
  reference: string,
  a: string | undefined,
  b: string | undefined,
  options: DiffOptions,
): Promise<CommandResult> {
  if ([options.word, options.stat, options.html].filter(Boolean).length > 1) {
    throw invalidInputError("usage", "--word, --stat and --html can't be combined: choose one");
  }
  const compared = await (isSopReference(reference, context.cwd) ? compareOnServer : compareFile)(
    context,
    reference,
    a,
    b,
  );
  const stat = comparisonStatOf(compared);
  const same = stat.facts + stat.added + stat.removed === 0;
  const { paint } = context.out;
  const text = options.html
    ? await (await import("../workspace/diff-page.ts")).renderDiffPage(compared)
    : options.stat
      ? diffStatText(compared)
      : await (options.word ? wordDiff : lineDiff)(compared, paint);
  return { exit: options.exitCode && !same ? exit.findings : exit.done, data: { ...compared, same, stat }, text };
}
