/** Reports files and folders that a run doesn't read, grouped by reason. */
import { countAndNoun } from "#core/text/count-and-noun.ts";
import type { CommandOutput } from "./output.ts";
import type { IgnoreFile } from "./ignore-files.ts";

export type LeftOutReason = IgnoreFile | "extension" | "hidden" | "symbolic link";

export interface LeftOut {
  /** The path from the working folder. A folder ends with a slash, and its content isn't listed. */
  path: string;
  reason: LeftOutReason;
}

/** Prints how many files and folders were left out, and with -v a line for each. */
export function printLeftOut(out: CommandOutput, leftOut: readonly LeftOut[]): void {
  if (leftOut.length === 0) return;
  out.note(`${leftOutSummary(leftOut)}${out.verbose ? ":" : " (-v lists them)"}`);
  for (const { path, reason } of leftOut) out.detail(`  ${path} (${reason})`);
}

/** Returns a text such as `12 files and 1 folder left out: 8 by extension, 5 by .gitignore`. */
export function leftOutSummary(leftOut: readonly LeftOut[]): string {
  const folders = leftOut.filter(({ path }) => path.endsWith("/")).length;
  const files = leftOut.length - folders;
  const things = [countAndNoun(files, "file"), countAndNoun(folders, "folder")].filter(
    (text) => !text.startsWith("0 "),
  );
  const byReason = Map.groupBy(leftOut, ({ reason }) => reason);
  const reasons = [...byReason]
    .toSorted(([, one], [, other]) => other.length - one.length)
    .map(([reason, { length }]) => `${length} ${reasonWords[reason]}`);
  return `${things.join(" and ")} left out: ${reasons.join(", ")}`;
}

const reasonWords: Record<LeftOutReason, string> = {
  ".gitignore": "by .gitignore",
  ".sopignore": "by .sopignore",
  extension: "by extension",
  hidden: "hidden",
  "symbolic link": "as symbolic links",
};
