import { highlight, termFinder } from "#core/search/highlight.ts";
import { replaceTerms, type Query, type QueryTerm } from "#core/search/query.ts";

/** The corrected query, with the spelling of the first text that has the words. */
export function correctedText(
  query: Query,
  corrections: ReadonlyMap<QueryTerm, QueryTerm>,
  texts: readonly string[],
): string {
  const words = new Map<QueryTerm, string>();
  for (const [term, meant] of corrections) {
    const finder = termFinder({ terms: [meant] });
    const marked = texts.map((text) => highlight(text, finder)).find(({ ranges }) => ranges.length > 0);
    const [start, end] = marked?.ranges[0] ?? [0, 0];
    words.set(term, marked ? marked.text.slice(start, end).toLowerCase() : meant.raw);
  }
  return replaceTerms(query, words);
}
