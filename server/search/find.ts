/** A question's answers, best first: those with all of its words, then those with most of them; slips corrected if need be. */
import type { Actor } from "#core/access/actor.ts";
import { parseQuery, type Query, type QueryTerm } from "#core/search/query.ts";
import { deepestHit, type SearchQuery } from "#core/search/schema.ts";
import type { Services } from "../http/services.ts";
import type { ListedSop } from "../sops/list.ts";
import { correctTerms } from "./correct.ts";
import type { Match } from "./index-file.ts";
import { allOf, anyOf, mostOf } from "./match.ts";
import { seenBy, type SeenAmong } from "./visible.ts";

export interface Hit extends ListedSop {
  score: number;
}

export interface Findings {
  query: Query;
  /** The terms that were looked for, and instead of which of the asked ones. */
  terms: readonly QueryTerm[];
  corrections: ReadonlyMap<QueryTerm, QueryTerm>;
  /** At most as many as were wanted. */
  hits: readonly Hit[];
}

export interface FindOptions {
  /** Hits wanted from the first on. */
  wanted: number;
  synonyms?: readonly (readonly string[])[];
}

const firstBatch = 100;

export async function find(
  services: Pick<Services, "db" | "clock" | "search">,
  actor: Actor,
  query: Omit<SearchQuery, "limit">,
  { wanted, synonyms = [] }: FindOptions,
): Promise<Findings> {
  const { search } = services;
  const { companyId } = actor;
  const asked = parseQuery(query.q, { synonyms });
  const none: Findings = { query: asked, terms: [], corrections: new Map(), hits: [] };
  if (!asked.terms || asked.terms.length === 0) return none;
  const seen = await seenBy(services, actor, query);
  const best = (match: string, limit: number, offset: number) =>
    search.read(companyId, (index) => index.best(match, limit, offset));

  let { terms } = asked;
  let corrections: ReadonlyMap<QueryTerm, QueryTerm> = new Map();
  let hits = await collect(best, seen, allOf(terms), wanted);
  if (hits.length === 0) {
    corrections = await correctTerms({ search, companyId, seen }, terms);
    if (corrections.size > 0) {
      terms = terms.map((term) => corrections.get(term) ?? term);
      hits = await collect(best, seen, allOf(terms), wanted);
    }
  }
  if (hits.length < wanted && terms.length > 1) {
    const most = mostOf(terms);
    const enough = await search.read(companyId, (index) => new Set(index.all(most).map(rowKey)));
    const before = new Set(hits.map(({ sop }) => sop._id));
    const isMore = (match: Match) => enough.has(rowKey(match)) && !before.has(match.sopId);
    hits = [...hits, ...(await collect(best, seen, anyOf(terms), wanted - hits.length, isMore))];
  }
  return { query: asked, terms, corrections, hits };
}

function rowKey({ sopId, version }: { sopId: string; version: number }): string {
  return `${sopId} ${version}`;
}

/** Pages of the index until enough of them may be seen. */
async function collect(
  best: (match: string, limit: number, offset: number) => Promise<Match[]>,
  seen: SeenAmong,
  match: string,
  wanted: number,
  isWanted: (match: Match) => boolean = () => true,
): Promise<Hit[]> {
  const hits = new Map<string, Hit>();
  const goal = Math.min(wanted, deepestHit);
  for (let offset = 0, limit = firstBatch; hits.size < goal; offset += limit, limit *= 2) {
    const found = await best(match, limit, offset);
    const asked = found.filter(isWanted);
    const rows = asked.length === 0 ? new Map<string, ListedSop>() : await seen(asked);
    for (const { sopId, score } of asked) {
      const row = rows.get(sopId);
      if (row && !hits.has(sopId)) hits.set(sopId, { ...row, score });
    }
    if (found.length < limit) break;
  }
  return [...hits.values()].slice(0, goal);
}
