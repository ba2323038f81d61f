import { failureOf, type Problem } from "../exit.ts";
import { writeFileAtomically } from "../files.ts";
import { isUnchanged, type FixedFile } from "./fix.ts";
import type { LintedDocument } from "./linted.ts";

/**
 * Writes fixed texts to their files, except texts that didn't come from a file. Skips files that changed since they were
 * read or can't be written, and removes them from `fixed`.
 * @returns the problems of the skipped files
 */
export async function writeFixed(fixed: Map<LintedDocument, FixedFile>): Promise<Problem[]> {
  const problems: Problem[] = [];
  for (const [file, fix] of fixed) {
    const { target } = file;
    if (target.text !== undefined) continue;
    try {
      if (isUnchanged(file, fix)) {
        await writeFileAtomically(target.file, fix.text);
        continue;
      }
      problems.push({
        code: "changed",
        path: target.shown,
        message: `${target.shown}: the file changed during the check`,
      });
    } catch (error) {
      const { problem } = failureOf(error);
      if (problem.code !== "file") throw error;
      problems.push({ ...problem, path: target.shown });
    }
    fixed.delete(file);
  }
  return problems;
}
