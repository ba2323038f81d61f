/** Goes on without documents that can't be exported or pulled, and names each. */
import { CliError, failureOf, type Problem } from "./exit.ts";
import { runParallel } from "./run-parallel.ts";
import type { ExportEntry } from "./export/source.ts";
import type { CommandOutput } from "./output.ts";

/** Errors that concern one document, such as a missing font. */
const ofOneDocument = new Set(["damaged", "font_missing", "unprocessable"]);

/** The problem, with the document's name, if the error concerns only this one. */
export function ownProblem(named: { number?: string; title?: string } | null, error: unknown): Problem | undefined {
  const { problem } = failureOf(error);
  if (!ofOneDocument.has(problem.code)) return undefined;
  const name = [named?.number, named?.title].filter(Boolean).join(" ");
  return name === "" || problem.path !== undefined ? problem : { ...problem, message: `${name}: ${problem.message}` };
}

/**
 * Does the work for each document.
 * @returns the problems of documents that couldn't be exported, if others could
 * @throws the first of these problems if no document could be exported
 */
export async function exportEach<Entry extends ExportEntry>(
  entries: readonly Entry[],
  out: CommandOutput,
  work: (entry: Entry, index: number) => Promise<void>,
): Promise<{ failed: Problem[]; done: Entry[] }> {
  const failed: { problem: Problem; error: unknown }[] = [];
  const done: Entry[] = [];
  let count = 0;
  await runParallel(entries, async (entry, index) => {
    try {
      await work(entry, index);
      done.push(entry);
    } catch (error) {
      const problem = ownProblem(entry, error);
      if (problem === undefined) throw error;
      failed.push({ problem, error });
    }
    out.progress(`exporting ${(count += 1)} of ${entries.length}`);
  });
  const [first] = failed;
  if (first !== undefined && done.length === 0)
    throw new CliError(failureOf(first.error).exit, first.problem, first.error);
  return { failed: failed.map(({ problem }) => problem), done };
}
