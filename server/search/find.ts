/**
 * The answers to a query, best first: texts with all of its words, then those with most of them. Corrects typos if
 * needed.
 */
import type { Actor } from "#core/permissions/actor.ts";
import type { Glossary } from "#core/companies/glossary.ts";
import { parseQuery, type Query, type QueryTerm } from "#core/search/query.ts";
import { deepestHit, type SearchQuery } from "#core/search/schema.ts";
import type { Services } from "../http/services.ts";
import type { ListedSop } from "../sops/list/visible.ts";
import { correctTerms, type ReadableIndex } from "./correct.ts";
import { allOf, mostOf } from "./match.ts";
import type { Question } from "./ranking.ts";
import type { IndexReader } from "./indexes.ts";
import type { HitText } from "./shown-hit.ts";
import type { SopVersion } from "./read-scope.ts";
import type { ExcerptRange } from "./tasks.ts";
import { versionSeen } from "../sops/view/present.ts";
import { visibleTo } from "./visible.ts";

export interface Hit extends ListedSop {
  score: number;
  /** The excerpt. */
  shown?: HitText;
}

export interface Findings {
  query: Query;
  /** The terms of the search, and the corrections of misspelled ones. */
  terms: readonly QueryTerm[];
  corrections: ReadonlyMap<QueryTerm, QueryTerm>;
  /** At most as many as were wanted. */
  hits: readonly Hit[];
}

/** A page of hits with their excerpts. */
export interface ShownFindings extends Findings {
  page: readonly ShownHit[];
  /** The corrected question in the words of the first hit; null without corrections. */
  spelled: string | null;
}

export type ShownHit = Hit & { shown: HitText };

export interface FindOptions {
  /** Hits wanted from the first on. */
  wanted: number;
  /** The company's synonyms. */
  synonyms?: Glossary;
}

type FindServices = Pick<Services, "db" | "clock" | "search">;
type Asked = Omit<SearchQuery, "limit">;

export async function find(
  services: FindServices,
  actor: Actor,
  query: Asked,
  { wanted, synonyms = [] }: FindOptions,
): Promise<Findings> {
  const parsed = parseQuery(query.q, { synonyms });
  const seen = await visibleTo(services, actor, query);
  return services.search.ask(actor, (reading) => answer({ reading, seen }, parsed, wanted));
}

/** @param shown which of the hits make the page */
export async function findPage(
  services: FindServices,
  actor: Actor,
  query: Asked,
  { wanted, synonyms = [], shown }: FindOptions & { shown: ExcerptRange },
): Promise<ShownFindings> {
  const parsed = parseQuery(query.q, { synonyms });
  const seen = await visibleTo(services, actor, query);
  return services.search.ask(actor, async (reading) => {
    const findings = await answer({ reading, seen }, parsed, wanted, shown);
    const page = await shownPage(reading, findings, shown);
    const [first] = findings.hits;
    const isCorrected = first !== undefined && findings.corrections.size > 0;
    const spelled = isCorrected ? await reading.spell(rowOf(first), parsed, findings.corrections) : null;
    return { ...findings, page, spelled };
  });
}

function rowOf({ sop, view }: ListedSop): SopVersion {
  return { sopId: sop._id, version: versionSeen(sop, view) };
}

/** Most rows came with their excerpts. Reads the rest now that the page's rows are known. */
async function shownPage(
  reading: IndexReader,
  { hits, terms }: Findings,
  { from, to }: ExcerptRange,
): Promise<ShownHit[]> {
  const page = hits.slice(from, to);
  const bare = page.filter(({ shown }) => shown === undefined);
  const found = bare.length === 0 ? [] : await reading.show(bare.map(rowOf), terms);
  const later = new Map(bare.map((hit, at) => [hit, found[at] ?? null]));
  return page.flatMap((hit) => {
    const shown = hit.shown ?? later.get(hit) ?? null;
    return shown === null ? [] : [{ ...hit, shown }];
  });
}

/** With fewer full matches than this, partial matches can rank before some of them. */
const few = 10;

/** @param wanted hits from the first on; the order of the first ones does not depend on it */
export async function answer(
  asking: ReadableIndex,
  query: Query,
  wanted: number,
  shown?: ExcerptRange,
): Promise<Findings> {
  if (!query.terms || query.terms.length === 0) return { query, terms: [], corrections: new Map(), hits: [] };
  const goal = Math.max(wanted, few);
  let { terms } = query;
  let corrections: ReadonlyMap<QueryTerm, QueryTerm> = new Map();
  let hits = await collect(asking, allOf(terms), goal, { shown });
  if (hits.length === 0) {
    corrections = await correctTerms(asking, terms);
    if (corrections.size > 0) {
      terms = terms.map((term) => corrections.get(term) ?? term);
      hits = await collect(asking, allOf(terms), goal, { shown });
    }
  }
  if (hits.length < goal && terms.length > 1) {
    const others = await more(asking, terms, hits, goal);
    const isFew = hits.length < few;
    hits = [...hits, ...others];
    if (isFew) hits = hits.toSorted(bestFirst);
  }
  return { query, terms, corrections, hits: hits.slice(0, wanted) };
}

function bestFirst(one: Hit, other: Hit): number {
  return other.score - one.score;
}

/** Texts with most of the words, but not all. */
async function more(
  asking: ReadableIndex,
  terms: readonly QueryTerm[],
  hits: readonly Hit[],
  goal: number,
): Promise<readonly Hit[]> {
  const before = new Set(hits.map(({ sop }) => sop._id));
  return collect(asking, mostOf(terms), goal - hits.length, { before });
}

/** Pages of the index until enough of them may be seen. */
async function collect(
  { reading, seen }: ReadableIndex,
  question: Question,
  wanted: number,
  { before = new Set(), shown }: { before?: ReadonlySet<string>; shown?: ExcerptRange | undefined },
): Promise<Hit[]> {
  const hits = new Map<string, Hit>();
  const goal = Math.min(wanted, deepestHit);
  for (let offset = 0, limit = goal + before.size; hits.size < goal; offset += limit, limit *= 2) {
    const found = await reading.best(question, { offset, limit, shown: offset === 0 ? shown : undefined });
    const unseen = found.filter(({ sopId }) => !before.has(sopId));
    const rows = unseen.length === 0 ? new Map<string, ListedSop>() : await seen(unseen);
    for (const { sopId, version, score, shown: text } of unseen) {
      const row = rows.get(sopId);
      if (!row || hits.has(sopId)) continue;
      // of the very version that the database shows now
      const isSame = text !== undefined && versionSeen(row.sop, row.view) === version;
      hits.set(sopId, { ...row, score, ...(isSame ? { shown: text } : {}) });
    }
    if (found.length < limit) break;
  }
  return [...hits.values()].slice(0, goal);
}
