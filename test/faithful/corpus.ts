/** Imports real documents: counts those with each kind of note, and those that keep their words. */
import { AppError } from "../../core/errors.ts";
import { readMarkdownDocument } from "../../core/import/markdown/markdown-file.ts";
import { corpusFiles, textOf } from "../corpus.ts";

/** Each kind of note with the number of documents that have it. */
export function corpusNotes(): Map<string, number> {
  const counts = new Map<string, number>();
  const add = (name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);
  for (const file of corpusFiles(".md")) {
    try {
      const { report } = readMarkdownDocument({ path: file.name, text: textOf(file) });
      const codes = new Set(report.map(({ code }) => code).filter((code) => code.startsWith("changed-")));
      if (codes.size === 0) add("same");
      for (const code of codes) add(`named: ${code}`);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      add("refused");
    }
  }
  return counts;
}
