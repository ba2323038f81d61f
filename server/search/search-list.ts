/** Lists SOPs that match a search: the same answers, in the same order, as the search of the top bar. */
import type { Actor } from "#core/permissions/actor.ts";
import { synonymsInGlossary } from "#core/companies/glossary.ts";
import { deepestHit } from "#core/search/schema.ts";
import type { SopQuery } from "#core/sops/list-schema.ts";
import { foldWord } from "#core/text/fold.ts";
import type { Services } from "../http/services.ts";
import { type SopList, readListedRows } from "../sops/list/list.ts";
import { loadSortedPage, visibleVersionOfRow } from "../sops/list/sorted.ts";
import type { ListFilters } from "../sops/list/streams.ts";
import { findSops, findHitsPage, type Hit } from "./find.ts";
import { loadGlossary } from "./glossary.ts";
import { readHitCursor, writeHitCursor } from "./hit-cursor.ts";
import type { HitExcerpt } from "./shown-hit.ts";

const titlesAtMost = 3;

/** The lowest likeness from 0 to 1 at which a title counts as near. */
const nearEnough = 0.3;

interface NearTitle {
  id: string;
  title: string;
}

export interface FoundList extends SopList {
  /** The excerpt with the found words, by SOP id. */
  matches: ReadonlyMap<string, HitExcerpt>;
  /** The corrected query; absent if no word was corrected. */
  showingFor?: string;
  /** A query to offer; absent without one. */
  didYouMean?: string;
  /** Set if no SOP has all words of the query, but some have most of them. */
  mostWords?: true;
  /** Synonyms of the company for words of the query; absent after the first page. */
  alsoCalled?: string[];
  /** Titles spelled like a query without hits. */
  nearTitles?: NearTitle[];
}

type SearchServices = Pick<Services, "db" | "clock" | "companies" | "search" | "missed">;

/** Finds all hits of a search, at most `deepestHit`. */
export async function findAllHits(
  services: SearchServices,
  actor: Actor,
  words: string,
  filters: ListFilters & Pick<SopQuery, "favorite">,
): Promise<readonly Hit[]> {
  const synonyms = await loadGlossary(services, actor.companyId);
  return (await findSops(services, actor, { ...filters, q: words }, { wanted: deepestHit, synonyms })).hits;
}

/** Lists a page of the SOPs that have the words of a search, in the order that the query asks for. */
export async function listSearchHits(
  services: SearchServices,
  actor: Actor,
  query: SopQuery & { search: string },
): Promise<FoundList> {
  const { search, limit, cursor, total, sort = "relevance", facets: _, recent: __, ...filters } = query;
  const from = sort === "relevance" ? readHitCursor(cursor) : 0;
  const next = from + limit;
  const isWhole = sort !== "relevance" || total === "true";
  let nextCursor: string | undefined;
  const chooseHits = async (hits: readonly Hit[]) => {
    if (sort === "relevance") {
      if (hits.length > next) nextCursor = writeHitCursor(next);
      return hits.slice(from, next);
    }
    const page = await loadSortedPage(services, actor, hits, { sort, cursor, limit });
    ({ nextCursor } = page);
    return page.rows;
  };
  const asked = { ...filters, q: search, cursor };
  const synonyms = await loadGlossary(services, actor.companyId);
  const { hits, full, page, spelled, didYouMean } = await findHitsPage(services, actor, asked, {
    wanted: isWhole ? deepestHit : Math.min(deepestHit, next + 1),
    synonyms,
    shown: sort === "relevance" ? { from, to: next } : { from: 0, to: 0 },
    choose: chooseHits,
  });
  if (cursor === undefined) services.missed.searched(actor, asked, hits.length);
  const alsoCalled = cursor === undefined ? synonymsInGlossary(search, synonyms) : [];
  const nearTitles = cursor === undefined && hits.length === 0 ? await findNearestTitles(services, actor, search) : [];
  return {
    rows: [...page],
    matches: new Map(page.map(({ sop, shown }) => [sop._id, shown])),
    ...(nextCursor === undefined ? {} : { nextCursor }),
    ...(total === "true" ? { total: hits.length } : {}),
    ...(spelled === null ? {} : { showingFor: spelled }),
    ...(didYouMean === null ? {} : { didYouMean }),
    ...(hits.length > 0 && full === 0 ? { mostWords: true as const } : {}),
    ...(alsoCalled.length === 0 ? {} : { alsoCalled }),
    ...(nearTitles.length === 0 ? {} : { nearTitles }),
  };
}

/** Finds titles that are spelled like a query without answers, among the titles that the user can see. */
async function findNearestTitles(
  { db, clock }: Pick<Services, "db" | "clock">,
  actor: Actor,
  words: string,
): Promise<NearTitle[]> {
  const rows = await readListedRows(db, clock, actor, { limit: 1 }, { title: 1, "published.title": 1 });
  const asked = letterTriples(words);
  return rows
    .map((row) => ({ id: row.sop._id, title: visibleVersionOfRow(row).title }))
    .map((near) => ({ near, score: letterOverlap(asked, letterTriples(near.title)) }))
    .filter(({ score }) => score >= nearEnough)
    .toSorted((one, other) => other.score - one.score || (one.near.id < other.near.id ? -1 : 1))
    .slice(0, titlesAtMost)
    .map(({ near }) => near);
}

/** Returns the groups of three letters in a text, with the beginnings and ends of words. */
function letterTriples(text: string): ReadonlySet<string> {
  const words = foldWord(text).match(/[\p{L}\p{N}]+/gu) ?? [];
  const padded = words.map((word) => ` ${word} `);
  return new Set(padded.flatMap((word) => Array.from({ length: word.length - 2 }, (_, at) => word.slice(at, at + 3))));
}

/**
 * Returns the share of the query's letter groups that the title has. The title's other groups don't count, because a
 * title is usually longer than a query.
 */
function letterOverlap(asked: ReadonlySet<string>, title: ReadonlySet<string>): number {
  if (asked.size === 0) return 0;
  return [...asked].filter((letters) => title.has(letters)).length / asked.size;
}
