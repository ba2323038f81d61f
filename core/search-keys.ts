/** Creates the stored fields by which lists of people and companies are sorted and searched with an index. */
import { foldWord } from "./text/fold.ts";

export interface SearchKeys {
  /** The name by which lists are sorted: without case and diacritics, and with ø as o. */
  nameKey: string;
  /** The words of the record, also from each start of a word inside them, so that `lab.ex` finds `ada@lab.example`. */
  words: string[];
}

export function searchKeysOfPerson(person: { name: string; username: string; email: string | null }): SearchKeys {
  return searchKeysOf([person.name, person.username, person.email ?? ""]);
}

export function searchKeysOfCompany(company: { name: string; slug: string; industry: string | null }): SearchKeys {
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
 * Splits a search into at most eight beginnings of words, all of which a match must contain; empty for an empty search.
 * Returns null for a search with only other characters, which finds nothing.
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
 * Creates a function that tells whether a text contains all words of a search, ignoring case and diacritics:
 * `createSearchMatcher("ines")("Inês Carvalho")`. An empty search matches every text.
 */
export function createSearchMatcher(search: string): (text: string) => boolean {
  const wanted = foldWord(search)
    .split(/\s+/)
    .filter((word) => word !== "");
  return (text) => {
    const folded = foldWord(text);
    return wanted.every((word) => folded.includes(word));
  };
}
