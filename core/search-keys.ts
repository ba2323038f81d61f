/**
 * The fields that lists of people and companies sort and search by. Stored with the record, so that an index serves
 * them.
 */
import { fold } from "./text/fold.ts";

export interface SearchKeys {
  /** The name as lists sort it: without case and diacritics, ø as o. */
  nameKey: string;
  /** Each word of the record with its text up to the next space: `lab.ex` also finds `ada@lab.example`. */
  words: string[];
}

export function personKeys(person: { name: string; username: string; email: string | null }): SearchKeys {
  return keysOf([person.name, person.username, person.email ?? ""]);
}

export function companyKeys(company: { name: string; slug: string; industry: string | null }): SearchKeys {
  return keysOf([company.name, company.slug, company.industry ?? ""]);
}

const longest = 100;
const termsAtMost = 8;

function keysOf(texts: readonly [name: string, ...others: string[]]): SearchKeys {
  const tokens = texts.flatMap((text) => fold(text).split(/\s+/));
  const words = tokens.flatMap((token) =>
    [...token.matchAll(/[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu)].map(({ index }) => token.slice(index, index + longest)),
  );
  return { nameKey: fold(texts[0]).trim(), words: [...new Set(words)] };
}

/**
 * The beginnings of words that a search asks for, all of them. Null when there is text but nothing to look for, which
 * finds nothing.
 */
export function searchTerms(search: string): string[] | null {
  const folded = fold(search).trim();
  if (folded === "") return [];
  const terms = folded
    .split(/\s+/)
    .map((term) => term.replace(/^[^\p{L}\p{N}]+/u, "").slice(0, longest))
    .filter((term) => term !== "");
  return terms.length === 0 ? null : [...new Set(terms)].slice(0, termsAtMost);
}

/**
 * Finds typed words in texts, folding both as the search does: `finderOf("ines")("Inês Carvalho")`.
 * @returns whether the text contains every word of `search`; an empty search finds all
 */
export function finderOf(search: string): (text: string) => boolean {
  const wanted = fold(search)
    .split(/\s+/)
    .filter((word) => word !== "");
  return (text) => {
    const folded = fold(text);
    return wanted.every((word) => folded.includes(word));
  };
}
