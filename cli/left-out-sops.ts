/** Lets an export or pull continue without documents that fail, and reports each of them. */
import { CliError, failureOf, type Problem } from "./exit.ts";
import { runParallel } from "./run-parallel.ts";
import type { ExportEntry } from "./export/source.ts";
import type { CommandOutput } from "./output.ts";

/** The codes of errors that concern a single document, such as a missing font. */
const codesOfOneDocument = new Set(["damaged", "font_missing", "unprocessable"]);

/** Returns the problem with the document's name, or undefined if the error concerns more than this document. */
export function problemOfOneDocument(
  named: { number?: string; title?: string } | null,
  error: unknown,
): Problem | undefined {
  const { problem } = failureOf(error);
  if (!codesOfOneDocument.has(problem.code)) return undefined;
  const name = [named?.number, named?.title].filter(Boolean).join(" ");
  return name === "" || problem.path !== undefined ? problem : { ...problem, message: `${name}: ${problem.message}` };
}

/** The results of an export, in the order of its documents, and the problems of those that are left out. */
export interface Exported<Result> {
  made: Result[];
  failed: Problem[];
}

/**
 * Calls `work` for each document, and leaves out documents that can't be exported.
 * @throws the first problem if no document could be exported
 */
export async function exportEach<Entry extends ExportEntry, Result>(
  entries: readonly Entry[],
  out: CommandOutput,
  work: (entry: Entry) => Promise<Result>,
): Promise<Exported<Result>> {
  const failed: { problem: Problem; error: unknown }[] = [];
  let count = 0;
  const results = await runParallel(entries, async (entry): Promise<Result[]> => {
    try {
      return [await work(entry)];
    } catch (error) {
      const problem = problemOfOneDocument(entry, error);
      if (problem === undefined) throw error;
      failed.push({ problem, error });
      return [];
    } finally {
      out.progress(`exporting ${(count += 1)} of ${entries.length}`);
    }
  });
  const made = results.flat(1) as Result[];
  const [first] = failed;
  if (first !== undefined && made.length === 0)
    throw new CliError(failureOf(first.error).exit, first.problem, first.error);
  return { made, failed: failed.map(({ problem }) => problem) };
}
