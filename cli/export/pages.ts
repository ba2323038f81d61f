/** Writes one HTML, PDF or Word file per document. */
import type { PdfStandard } from "#core/export/printing.ts";
import { failureOf, type Problem } from "../exit.ts";
import { runParallel } from "../run-parallel.ts";
import type { WriteFile } from "./folder.ts";
import type { ExportEntry, PageFormat, DocumentSource } from "./source.ts";
import type { CommandOutput } from "../output.ts";

/**
 * @returns the problems of documents that couldn't be made, if others could
 * @throws the first of these errors if no document could be made
 */
export async function writePages(
  source: DocumentSource,
  format: PageFormat,
  standard: PdfStandard | null,
  out: CommandOutput,
  writeFile: WriteFile,
): Promise<Problem[]> {
  const failed: { problem: Problem; error: unknown }[] = [];
  let done = 0;
  await runParallel(source.entries, async (entry) => {
    try {
      const { bytes, warnings } = await source.make(entry, format, standard);
      for (const warning of warnings) out.note(`${entry.number}: ${warning}`);
      await writeFile(`${entry.path}.${format}`, bytes);
    } catch (error) {
      const problem = ownProblem(entry, error);
      if (problem === undefined) throw error;
      failed.push({ problem, error });
    }
    done += 1;
    out.progress(`exporting ${done} of ${source.entries.length}`);
  });
  const [first] = failed;
  if (first !== undefined && failed.length === source.entries.length) throw first.error;
  return failed.map(({ problem }) => problem);
}

/** The problem if an error concerns only one document, such as a missing font; other documents can still be made. */
function ownProblem({ number }: ExportEntry, error: unknown): Problem | undefined {
  const { problem } = failureOf(error);
  if (problem.code !== "font_missing" && problem.code !== "unprocessable") return undefined;
  return problem.path === undefined ? { ...problem, message: `${number}: ${problem.message}` } : problem;
}

/** Writes the files as the repository holds them, with the files that they link. */
export async function writeMarkdown(source: DocumentSource, out: CommandOutput, writeFile: WriteFile): Promise<void> {
  const taken = new Set<string>();
  await runParallel(source.entries, async (entry, index) => {
    out.progress(`exporting ${index + 1} of ${source.entries.length}`);
    const text = await source.text(entry);
    await writeFile(entry.path + entry.ending, text);
    for (const { path, bytes } of await source.attachments(entry, text)) {
      if (taken.has(path)) continue;
      taken.add(path);
      await writeFile(path, await bytes());
    }
  });
}
