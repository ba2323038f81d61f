/**
 * Continues an export or pull without the documents that the server can't read or the export can't show, and names
 * each.
 */
import type { CommandContext, CommandResult } from "./context.ts";
import { countAndNoun } from "#core/text/count-and-noun.ts";
import { CliError, exit, failureOf, type Problem } from "./exit.ts";
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

/** Returns the problem of a list from which the server left out `count` SOPs that it can't read; no problem for 0. */
export function problemsOfUnreadableSops(count: number): Problem[] {
  if (count === 0) return [];
  const message = `the server can't read ${countAndNoun(count, "SOP")}, so ${count === 1 ? "it is" : "they are"} left out`;
  return [{ code: "damaged", message, hint: "ask the operator of the server to run `sop admin verify`" }];
}

/**
 * Adds the problems of left-out SOPs to a result, and sets its exit code to 3 unless the run was stopped. Prints the
 * problems if the runner prints no errors, because the text of the result has them.
 */
export function addLeftOutProblems(
  { out }: CommandContext,
  result: CommandResult,
  leftOut: readonly Problem[],
): CommandResult {
  if (leftOut.length === 0) return result;
  if (!out.json && result.errorsInText) for (const problem of leftOut) out.problem(problem);
  const isStopped = result.exit === exit.interrupted || result.exit === exit.network;
  return { ...result, exit: isStopped ? result.exit : exit.partly, errors: [...(result.errors ?? []), ...leftOut] };
}

/** The results of the work in the order of the documents, and the problems of the documents that are left out. */
export interface ResultsAndProblems<Result> {
  made: Result[];
  failed: Problem[];
}

/**
 * Does the work for each document of an export, and shows the progress. Leaves out documents in the same way as
 * `workOnEach`.
 */
export function exportEach<Entry extends ExportEntry, Result>(
  entries: readonly Entry[],
  out: CommandOutput,
  work: (entry: Entry) => Promise<Result>,
): Promise<ResultsAndProblems<Result>> {
  let count = 0;
  return workOnEach(
    entries,
    (entry) => entry,
    (entry) => work(entry).finally(() => out.progress(`exporting ${(count += 1)} of ${entries.length}`)),
  );
}

/**
 * Does the work for each document, and leaves out those that have a problem of their own.
 * @throws the first problem if every document has one
 */
export async function workOnEach<Item, Result>(
  items: readonly Item[],
  nameOf: (item: Item) => { number?: string; title?: string },
  work: (item: Item) => Promise<Result>,
): Promise<ResultsAndProblems<Result>> {
  const failed: { problem: Problem; error: unknown }[] = [];
  const results = await runParallel(items, async (item): Promise<Result[]> => {
    try {
      return [await work(item)];
    } catch (error) {
      const problem = problemOfOneDocument(nameOf(item), error);
      if (problem === undefined) throw error;
      failed.push({ problem, error });
      return [];
    }
  });
  const made = results.flat(1) as Result[];
  const [first] = failed;
  if (first !== undefined && made.length === 0)
    throw new CliError(failureOf(first.error).exit, first.problem, first.error);
  return { made, failed: failed.map(({ problem }) => problem) };
}
