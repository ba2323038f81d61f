/** Terms of a question in FTS5's query language. Every word is quoted: none can be taken for an operator. */
import { stemOf } from "#core/search/analyse.ts";
import { isPhrase, type QueryTerm } from "#core/search/query.ts";

/** Documents with all of the terms. */
export function allOf(terms: readonly QueryTerm[]): string {
  return terms.map(matchTerm).join(" AND ");
}

export function anyOf(terms: readonly QueryTerm[]): string {
  return terms.map(matchTerm).join(" OR ");
}

/** A word with others of its stem, a word that begins with it, or one of its other sayings. */
function matchTerm({ raw, isPrefix, alternatives }: QueryTerm): string {
  // a beginning finds the word itself, too: each posting is read once
  const stem = stemOf(raw, "en");
  const ways = isPhrase(raw) ? [] : isPrefix ? [`${quoted(raw)} *`] : [stems(raw)];
  if (isPrefix && stem !== raw) ways.push(quoted(stem));
  for (const words of alternatives) ways.push(`(${words.map(stems).join(" AND ")})`);
  return `(${ways.join(" OR ")})`;
}

/** English documents are indexed by stems, others by their words. */
function stems(word: string): string {
  const stem = stemOf(word, "en");
  const either = stem === word ? quoted(word) : `(${quoted(stem)} OR ${quoted(word)})`;
  return `{title descr body} : ${either}`;
}

/** A folded word has letters, digits and marks only; quoting is for whatever may come to pass as one. */
function quoted(word: string): string {
  return `"${word.replaceAll('"', "")}"`;
}

/** Documents with at least half of the terms. */
export function mostOf(terms: readonly QueryTerm[]): string {
  return chosen(terms, Math.ceil(terms.length / 2))
    .map((some) => `(${allOf(some)})`)
    .join(" OR ");
}

/** Every choice of so many of them. */
function chosen<T>(from: readonly T[], count: number): T[][] {
  if (count === 0) return [[]];
  return from.flatMap((first, index) => chosen(from.slice(index + 1), count - 1).map((rest) => [first, ...rest]));
}
