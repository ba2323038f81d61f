/**
 * The SOPs of a list's search. Every word of the query must begin a word of the text, or most of them if no text has
 * all.
 */
import type { Actor } from "#core/permissions/actor.ts";
import { isEmptyWord, parseQuery, type QueryTerm } from "#core/search/query.ts";
import type { SopQuery } from "#core/sops/schema.ts";
import type { Services } from "../http/services.ts";
import type { FoundByWords } from "../sops/list/streams.ts";
import { idsByView } from "./ids-by-view.ts";
import { correctTerms, isFound, isMatched, type ReadableIndex } from "./correct.ts";
import { glossaryOf } from "./glossary.ts";
import type { VersionRow } from "./index-file.ts";
import { allOf, mostOf } from "./match.ts";
import { correctedText } from "./corrected-text.ts";
import { visibleTo } from "./visible.ts";

export interface FoundByList extends FoundByWords {
  /** The words searched for instead of misspelled ones. */
  showingFor?: string;
  /** No text has all of the words: what has most of them, as the search answers then. */
  mostWords?: true;
}

/** With more SOPs than this, walks the list in its order until a page is full: that reads fewer documents. */
const fewAtMost = 1_000;
const nothing = { latest: [], published: [] };

/** @returns undefined for an empty search. A text without any word in it finds nothing. */
export async function foundByWords(
  services: Pick<Services, "db" | "clock" | "companies" | "search">,
  actor: Actor,
  query: SopQuery,
): Promise<FoundByList | undefined> {
  const { search: words = "" } = query;
  const { search } = services;
  if (words.trim() === "") return undefined;
  const synonyms = await glossaryOf(services, actor.companyId);
  const parsed = parseQuery(words, { prefixes: "all", synonyms });
  const all = parsed.terms ?? [];
  if (all.length === 0) return { few: nothing, among: async () => nothing, all: async () => nothing };
  const seen = await visibleTo(services, actor, query);
  return search.ask(actor, async (reading) => {
    const asking: ReadableIndex = { reading, seen };
    const { terms, corrections, isMost } = await withCorrections(asking, all);
    const question = isMost ? mostOf(terms) : allOf(terms);
    const rows = await reading.all(question, fewAtMost);
    const best = corrections.size === 0 ? [] : await reading.best(question, { offset: 0, limit: titlesAtMost });
    const showingFor = corrections.size === 0 ? null : correctedText(parsed, corrections, await titlesOf(asking, best));
    const found: FoundByWords = {
      few: rows && idsByView(rows),
      among: (sopIds) => search.ask(actor, async (again) => idsByView(await again.among(question, sopIds))),
      all: () => search.ask(actor, async (again) => idsByView((await again.all(question)) ?? [])),
    };
    return { ...found, ...(showingFor === null ? {} : { showingFor }), ...(isMost ? { mostWords: true } : {}) };
  });
}

interface Reading {
  terms: readonly QueryTerm[];
  corrections: ReadonlyMap<QueryTerm, QueryTerm>;
  /** Most of the terms are enough. */
  isMost: boolean;
}

/**
 * Tries in order: the words as they are, without question words ("how do I"), with corrections, and then most of the
 * words. So a list finds everything that the search finds.
 */
async function withCorrections(asking: ReadableIndex, all: readonly QueryTerm[]): Promise<Reading> {
  const none = new Map<QueryTerm, QueryTerm>();
  const asAsked = { terms: all, corrections: none, isMost: false };
  if (await isFound(asking, all)) return asAsked;
  const meant = all.filter(({ raw }) => !isEmptyWord(raw));
  const terms = meant.length === 0 ? all : meant;
  if (terms.length < all.length && (await isFound(asking, terms))) {
    return { terms, corrections: none, isMost: false };
  }
  const corrections = await correctTerms(asking, terms);
  const corrected = terms.map((term) => corrections.get(term) ?? term);
  if (corrections.size > 0 && (await isFound(asking, corrected))) {
    return { terms: corrected, corrections, isMost: false };
  }
  const isMost = corrected.length > 1 && (await isMatched(asking, mostOf(corrected)));
  return isMost ? { terms: corrected, corrections, isMost } : asAsked;
}

const titlesAtMost = 20;

/** Titles that the user can see, to spell a corrected word as they do. */
async function titlesOf({ seen }: ReadableIndex, rows: readonly VersionRow[]): Promise<string[]> {
  const shown = await seen(rows);
  return [...shown.values()].map(({ sop, view }) =>
    view === "published" && sop.published ? sop.published.title : sop.title,
  );
}
