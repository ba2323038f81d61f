/** A question's answers, best first: those with all of its words, then those with most of them; slips corrected if need be. */
import type { Actor } from "#core/access/actor.ts";
import type { Glossary } from "#core/companies/glossary.ts";
import { parseQuery, type Query, type QueryTerm } from "#core/search/query.ts";
import { deepestHit, type SearchQuery } from "#core/search/schema.ts";
import type { Services } from "../http/services.ts";
import type { ListedSop } from "../sops/list.ts";
import { correctTerms, type Asking } from "./correct.ts";
import { allOf, mostOf } from "./match.ts";
import type { Question } from "./ranking.ts";
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
  /** Of the company. */
  synonyms?: Glossary;
}

export async function find(
  services: Pick<Services, "db" | "clock" | "search">,
  actor: Actor,
  query: Omit<SearchQuery, "limit">,
  { wanted, synonyms = [] }: FindOptions,
): Promise<Findings> {
  const asked = parseQuery(query.q, { synonyms });
  const seen = await seenBy(services, actor, query);
  return services.search.ask(actor, (reading) => answer({ reading, seen }, asked, wanted));
}

/** With fewer hits than this that have every word, what has most of the words may stand before some of them. */
const few = 10;

/** @param wanted hits from the first on; the order of the first ones does not depend on it */
export async function answer(asking: Asking, asked: Query, wanted: number): Promise<Findings> {
  if (!asked.terms || asked.terms.length === 0) return { query: asked, terms: [], corrections: new Map(), hits: [] };
  const goal = Math.max(wanted, few);
  let { terms } = asked;
  let corrections: ReadonlyMap<QueryTerm, QueryTerm> = new Map();
  let hits = await collect(asking, allOf(terms), goal);
  if (hits.length === 0) {
    corrections = await correctTerms(asking, terms);
    if (corrections.size > 0) {
      terms = terms.map((term) => corrections.get(term) ?? term);
      hits = await collect(asking, allOf(terms), goal);
    }
  }
  if (hits.length < goal && terms.length > 1) {
    const others = await more(asking, terms, hits, goal);
    const isFew = hits.length < few;
    hits = [...hits, ...others];
    if (isFew) hits = hits.toSorted(bestFirst);
  }
  return { query: asked, terms, corrections, hits: hits.slice(0, wanted) };
}

function bestFirst(one: Hit, other: Hit): number {
  return other.score - one.score;
}

/** What has most of the words and not all of them. */
async function more(
  asking: Asking,
  terms: readonly QueryTerm[],
  hits: readonly Hit[],
  goal: number,
): Promise<readonly Hit[]> {
  const before = new Set(hits.map(({ sop }) => sop._id));
  return collect(asking, mostOf(terms), goal - hits.length, before);
}

/** Pages of the index until enough of them may be seen. */
async function collect(
  { reading, seen }: Asking,
  question: Question,
  wanted: number,
  before: ReadonlySet<string> = new Set(),
): Promise<Hit[]> {
  const hits = new Map<string, Hit>();
  const goal = Math.min(wanted, deepestHit);
  for (let offset = 0, limit = goal + before.size; hits.size < goal; offset += limit, limit *= 2) {
    const found = await reading.best(question, { offset, limit });
    const asked = found.filter(({ sopId }) => !before.has(sopId));
    const rows = asked.length === 0 ? new Map<string, ListedSop>() : await seen(asked);
    for (const { sopId, score } of asked) {
      const row = rows.get(sopId);
      if (row && !hits.has(sopId)) hits.set(sopId, { ...row, score });
    }
    if (found.length < limit) break;
  }
  return [...hits.values()].slice(0, goal);
}
