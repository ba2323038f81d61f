/**
 * The fields by which lists of people and companies sort and search. They are stored with the record, so that an index
 * has them.
 */
import { foldWord } from "./text/fold.ts";

export interface SearchKeys {
  /** The name in the sort order of lists: without case and diacritics, and ø as o. */
  nameKey: string;
  /**
   * The text of the record from the start of each word up to the next space, so that `lab.ex` also finds
   * `ada@lab.example`.
   */
  words: string[];
}

export function personKeys(person: { name: string; username: string; email: string | null }): SearchKeys {
  return searchKeysOf([person.name, person.username, person.email ?? ""]);
}

export function companyKeys(company: { name: string; slug: string; industry: string | null }): SearchKeys {
  return searchKeysOf([company.name, company.slug, company.industry ?? ""]);
}

const longest = 100;
const termsAtMost = 8;

function searchKeysOf(texts: readonly [name: string, ...others: string[]]): SearchKeys {
  const tokens = texts.flatMap((text) => foldWord(text).split(/\s+/));
  const words = tokens.flatMap((token) =>
    [...token.matchAll(/[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu)].map(({ index }) => token.slice(index, index + longest)),
  );
  return { nameKey: foldWord(texts[0]).trim(), words: [...new Set(words)] };
}

/**
 * The beginnings of words that a search contains; a match needs all of them. Null for text without letters and digits,
 * which finds nothing.
 */
export function searchTermsOf(search: string): string[] | null {
  const folded = foldWord(search).trim();
  if (folded === "") return [];
  const terms = folded
    .split(/\s+/)
    .map((term) => term.replace(/^[^\p{L}\p{N}]+/u, "").slice(0, longest))
    .filter((term) => term !== "");
  return terms.length === 0 ? null : [...new Set(terms)].slice(0, termsAtMost);
}

/**
 * Finds typed words in texts, with both folded as in the search: `finderOf("ines")("Inês Carvalho")`.
 * @returns whether the text contains every word of `search`; an empty search finds all
 */
export function createTextFinder(search: string): (text: string) => boolean {
  const wanted = foldWord(search)
    .split(/\s+/)
    .filter((word) => word !== "");
  return (text) => {
    const folded = foldWord(text);
    return wanted.every((word) => folded.includes(word));
  };
}
