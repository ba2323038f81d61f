/** A question's answers, best first: those with all of its words, then those with most of them; slips corrected if need be. */
import type { Actor } from "#core/access/actor.ts";
import { parseQuery, type Query, type QueryTerm } from "#core/search/query.ts";
import { deepestHit, type SearchQuery } from "#core/search/schema.ts";
import type { Services } from "../http/services.ts";
import type { ListedSop } from "../sops/list.ts";
import { correctTerms, type Asking } from "./correct.ts";
import type { Match } from "./index-file.ts";
import { allOf, anyOf, mostOf } from "./match.ts";
import { seenBy } from "./visible.ts";

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
  const asked = parseQuery(query.q, { synonyms });
  const seen = await seenBy(services, actor, query);
  return answer({ search: services.search, companyId: actor.companyId, seen }, asked, wanted);
}

/** @param wanted hits from the first on */
export async function answer(asking: Asking, asked: Query, wanted: number): Promise<Findings> {
  if (!asked.terms || asked.terms.length === 0) return { query: asked, terms: [], corrections: new Map(), hits: [] };
  let { terms } = asked;
  let corrections: ReadonlyMap<QueryTerm, QueryTerm> = new Map();
  let hits = await collect(asking, allOf(terms), wanted);
  if (hits.length === 0) {
    corrections = await correctTerms(asking, terms);
    if (corrections.size > 0) {
      terms = terms.map((term) => corrections.get(term) ?? term);
      hits = await collect(asking, allOf(terms), wanted);
    }
  }
  if (hits.length < wanted && terms.length > 1) hits = [...hits, ...(await more(asking, terms, hits, wanted))];
  return { query: asked, terms, corrections, hits };
}

/** What has most of the words, after what has all of them. */
async function more(
  asking: Asking,
  terms: readonly QueryTerm[],
  hits: readonly Hit[],
  wanted: number,
): Promise<readonly Hit[]> {
  const most = mostOf(terms);
  const enough = await asking.search.read(asking.companyId, (index) => new Set(index.all(most).map(rowKey)));
  const before = new Set(hits.map(({ sop }) => sop._id));
  const isMore = (match: Match) => enough.has(rowKey(match)) && !before.has(match.sopId);
  return collect(asking, anyOf(terms), wanted - hits.length, isMore);
}

function rowKey({ sopId, version }: { sopId: string; version: number }): string {
  return `${sopId} ${version}`;
}

/** Pages of the index until enough of them may be seen. */
async function collect(
  { search, companyId, seen }: Asking,
  match: string,
  wanted: number,
  isWanted: (match: Match) => boolean = () => true,
): Promise<Hit[]> {
  const hits = new Map<string, Hit>();
  const goal = Math.min(wanted, deepestHit);
  for (let offset = 0, limit = firstBatch; hits.size < goal; offset += limit, limit *= 2) {
    const found = await search.read(companyId, (index) => index.best(match, limit, offset));
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
