/**
 * Finds the answers to a query, best first: texts with all of its words, then texts with most of them. Corrects typos
 * if needed.
 */
import type { Actor } from "#core/permissions/actor.ts";
import type { Glossary } from "#core/companies/glossary.ts";
import { digitsOfNumberQuery, parseQuery, type Query, type QueryTerm } from "#core/search/query.ts";
import { deepestHit, type SearchQuery } from "#core/search/schema.ts";
import type { Services } from "../http/services.ts";
import type { ListedSop } from "../sops/list/visible.ts";
import { findCorrections, findTermsToOffer, type ReadableIndex } from "./correct.ts";
import { questionForAllTerms, questionForMostTerms } from "./match.ts";
import type { IndexQuestion } from "./ranking.ts";
import type { IndexReader } from "./indexes.ts";
import type { HitExcerpt } from "./shown-hit.ts";
import type { SopVersion } from "./read-scope.ts";
import type { ExcerptRange } from "./tasks.ts";
import { loadNumberStarts } from "../sops/edit/numbers.ts";
import { versionNumberInView } from "../sops/view/present.ts";
import { createVisibleLookup } from "./visible.ts";

export interface Hit extends ListedSop {
  score: number;
  /** The excerpt; absent if it isn't read yet. */
  shown?: HitExcerpt;
}

export interface SearchFindings {
  query: Query;
  /** The terms of the query, with corrections in place of misspelled terms. */
  terms: readonly QueryTerm[];
  corrections: ReadonlyMap<QueryTerm, QueryTerm>;
  /** At most the wanted number of hits. The first `full` hits have all terms. */
  hits: readonly Hit[];
  full: number;
  /**
   * Words to offer, by the term that they replace. Only a query whose words are all known but never occur together has
   * some.
   */
  offered: ReadonlyMap<QueryTerm, QueryTerm>;
}

/** A page of hits with their excerpts. */
export interface FindingsPage extends SearchFindings {
  page: readonly ShownHit[];
  /** The corrected query in the spelling of the first hit; null without corrections. */
  spelled: string | null;
  /** The query to offer; null without an offer. */
  didYouMean: string | null;
}

export type ShownHit = Hit & { shown: HitExcerpt };

export interface FindSopsOptions {
  /** The number of wanted hits, counted from the first. */
  wanted: number;
  /** The company's synonyms. */
  synonyms?: Glossary;
}

type FindServices = Pick<Services, "db" | "clock" | "search">;
type FindQuery = Omit<SearchQuery, "limit">;

export async function findSops(
  services: FindServices,
  actor: Actor,
  query: FindQuery,
  { wanted, synonyms = [] }: FindSopsOptions,
): Promise<SearchFindings> {
  const parsed = await parseWithNumberStarts(services, actor, query.q, synonyms);
  const seen = await createVisibleLookup(services, actor, query);
  return services.search.ask(actor, (reading) => searchIndex({ reading, seen }, parsed, wanted));
}

async function parseWithNumberStarts(
  { db }: FindServices,
  { companyId }: Actor,
  text: string,
  synonyms: Glossary,
): Promise<Query> {
  const starts = digitsOfNumberQuery(text) === null ? [] : await loadNumberStarts(db, companyId);
  return parseQuery(text, { synonyms, starts });
}

/** Finds a page of hits with their excerpts, for the search of the top bar and for lists. */
export async function findHitsPage(
  services: FindServices,
  actor: Actor,
  query: FindQuery,
  {
    wanted,
    synonyms = [],
    shown,
    choose = (hits) => Promise.resolve(hits.slice(shown.from, shown.to)),
  }: FindSopsOptions & { shown: ExcerptRange; choose?: (hits: readonly Hit[]) => Promise<readonly Hit[]> },
): Promise<FindingsPage> {
  const parsed = await parseWithNumberStarts(services, actor, query.q, synonyms);
  const [seen, anywhere] = await Promise.all([
    createVisibleLookup(services, actor, query),
    createVisibleLookup(services, actor, {}),
  ]);
  return services.search.ask(actor, async (reading) => {
    const findings = await searchIndex({ reading, seen, anywhere }, parsed, wanted, shown);
    const page = await loadMissingExcerpts(reading, await choose(findings.hits), findings.terms);
    const [first] = findings.hits;
    const isCorrected = first !== undefined && findings.corrections.size > 0;
    const spelled = isCorrected ? await reading.spellQuery(listedVersion(first), parsed, findings.corrections) : null;
    return { ...findings, page, spelled, didYouMean: await spellOfferedQuery(reading, parsed, findings) };
  });
}

/** Returns the query to offer, in the spelling of the first hit. */
async function spellOfferedQuery(
  reading: IndexReader,
  query: Query,
  { hits, offered }: SearchFindings,
): Promise<string | null> {
  const [first] = hits;
  return first && offered.size > 0 ? reading.spellQuery(listedVersion(first), query, offered) : null;
}

function listedVersion({ sop, view }: ListedSop): SopVersion {
  return { sopId: sop._id, version: versionNumberInView(sop, view) };
}

/** Reads the excerpts that hits of the page still lack. Leaves out a hit whose text is no longer in the index. */
async function loadMissingExcerpts(
  reading: IndexReader,
  page: readonly Hit[],
  terms: readonly QueryTerm[],
): Promise<ShownHit[]> {
  const bare = page.filter(({ shown }) => shown === undefined);
  const found = bare.length === 0 ? [] : await reading.readExcerpts(bare.map(listedVersion), terms);
  const later = new Map(bare.map((hit, at) => [hit, found[at] ?? null]));
  return page.flatMap((hit) => {
    const shown = hit.shown ?? later.get(hit) ?? null;
    return shown === null ? [] : [{ ...hit, shown }];
  });
}

/** The minimum number of hits to search for, so that the first hits don't depend on the wanted number. */
const few = 10;

/** @param wanted the number of hits. The order of the first hits doesn't depend on it */
export async function searchIndex(
  asking: ReadableIndex,
  query: Query,
  wanted: number,
  shown?: ExcerptRange,
): Promise<SearchFindings> {
  const none: ReadonlyMap<QueryTerm, QueryTerm> = new Map();
  if (!query.terms || query.terms.length === 0)
    return { query, terms: [], corrections: none, hits: [], full: 0, offered: none };
  const goal = Math.max(wanted, few);
  let { terms } = query;
  let corrections = none;
  let offered = none;
  let hits = await collectVisibleHits(asking, questionForAllTerms(terms), goal, { shown });
  if (hits.length === 0) {
    // words are checked without the filters, so that a list corrects the same words as the top bar
    const everywhere = { ...asking, seen: asking.anywhere ?? asking.seen };
    corrections = await findCorrections(everywhere, terms);
    if (corrections.size > 0) {
      terms = terms.map((term) => corrections.get(term) ?? term);
      hits = await collectVisibleHits(asking, questionForAllTerms(terms), goal, { shown });
    } else {
      offered = await findTermsToOffer(everywhere, terms);
    }
  }
  const full = hits.length;
  if (full < goal && terms.length > 1) hits = [...hits, ...(await collectPartialHits(asking, terms, hits, goal))];
  return { query, terms, corrections, hits: hits.slice(0, wanted), full: Math.min(full, wanted), offered };
}

/** Finds texts with most of the words, but not all. */
async function collectPartialHits(
  asking: ReadableIndex,
  terms: readonly QueryTerm[],
  hits: readonly Hit[],
  goal: number,
): Promise<readonly Hit[]> {
  const before = new Set(hits.map(({ sop }) => sop._id));
  return collectVisibleHits(asking, questionForMostTerms(terms), goal - hits.length, { before });
}

/** Reads pages of the index until the user can see enough of the hits. */
async function collectVisibleHits(
  { reading, seen }: ReadableIndex,
  question: IndexQuestion,
  wanted: number,
  { before = new Set(), shown }: { before?: ReadonlySet<string>; shown?: ExcerptRange | undefined },
): Promise<Hit[]> {
  const hits = new Map<string, Hit>();
  const goal = Math.min(wanted, deepestHit);
  for (let offset = 0, limit = goal + before.size; hits.size < goal; offset += limit, limit *= 2) {
    const found = await reading.bestRows(question, { offset, limit, shown: offset === 0 ? shown : undefined });
    const unseen = found.filter(({ sopId }) => !before.has(sopId));
    const rows = unseen.length === 0 ? new Map<string, ListedSop>() : await seen(unseen);
    for (const { sopId, version, score, shown: text } of unseen) {
      const row = rows.get(sopId);
      if (!row || hits.has(sopId)) continue;
      // the excerpt is used only if it is of the version that the user now sees
      const isSame = text !== undefined && versionNumberInView(row.sop, row.view) === version;
      hits.set(sopId, { ...row, score, ...(isSame ? { shown: text } : {}) });
    }
    if (found.length < limit) break;
  }
  return [...hits.values()].slice(0, goal);
}
