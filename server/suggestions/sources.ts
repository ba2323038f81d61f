/** Gathers the input of the gap rules: the SOPs that the user sees, in the version that the user sees. */
import { setImmediate } from "node:timers/promises";
import type { Actor } from "#core/permissions/actor.ts";
import { actorForList } from "#core/permissions/can.ts";
import { canSeeUnrestrictedLatestVersions } from "#core/permissions/can.ts";
import type { GapSources, ReadableSop } from "#core/assistant/gaps.ts";
import { textNamesIn, type TextNames } from "#core/assistant/names.ts";
import type { Needs as HomeNeeds } from "#core/stats/schemas.ts";
import { searchableText } from "#core/search/columns.ts";
import { mainTopicsOf } from "#core/assistant/similar.ts";
import { SopQuery } from "#core/sops/list-schema.ts";
import { printedName } from "#core/users/printed-name.ts";
import { serverLimits } from "../capacity/resources.ts";
import type { Filter } from "../database/port.ts";
import type { SopDocument, SopVersionDocument } from "../database/documents.ts";
import type { Services } from "../http/services.ts";
import { findSops } from "../search/find.ts";
import { loadGlossary } from "../search/glossary.ts";
import { listSops } from "../sops/list/list.ts";
import type { ListedSop } from "../sops/list/visible.ts";
import { versionNumberInView } from "../sops/view/present.ts";

type SuggestionSourceServices = Pick<Services, "db" | "clock" | "search" | "companies" | "templates">;

/** The maximum number of SOPs that are read. In a larger company, only the newest SOPs are read. */
const sopsAtMost = 5_000;
const retiredAtMost = 1_000;
const page = 100;
const peopleAtLeast = 3;
const searchesAtMost = 40;

export async function gatherGapSources(
  services: SuggestionSourceServices,
  actor: Actor,
): Promise<Omit<GapSources, "unwanted">> {
  const rows = await listAllSops(services, actor, "all", sopsAtMost);
  const sops: ReadableSop[] = [];
  for (let at = 0; at < rows.length; at += page) {
    sops.push(...(await readSources(services, actor, rows.slice(at, at + page))));
    await setImmediate();
  }
  const retired = (await listAllSops(services, actor, "archived", retiredAtMost)).map(({ sop, view }) => {
    return { id: sop._id, number: sop.label, title: visibleFields(sop, view).title };
  });
  const templates = [...services.templates.values()].map(({ id, title, description, tags, markdown }) => {
    return { id, title, description, tags, topics: cachedTopicsOf(id, markdown) };
  });
  const missed = await findSearchesWithoutResults(services, actor);
  const searches = missed.filter(({ people }) => people >= peopleAtLeast);
  return { sops, retired, templates, searches, today: services.clock.now().slice(0, 10) };
}

async function listAllSops(
  { db, clock }: SuggestionSourceServices,
  actor: Actor,
  status: "all" | "archived",
  atMost: number,
): Promise<ListedSop[]> {
  const rows: ListedSop[] = [];
  for (let cursor: string | undefined; ;) {
    const query = SopQuery.parse({ status, limit: 200, ...(cursor === undefined ? {} : { cursor }) });
    const found = await listSops(db, clock, actor, query);
    rows.push(...found.rows);
    if (found.nextCursor === undefined || rows.length >= atMost) return rows.slice(0, atMost);
    cursor = found.nextCursor;
    await setImmediate();
  }
}

function visibleFields(sop: SopDocument, view: ListedSop["view"]) {
  return view === "published" && sop.published ? sop.published : sop;
}

/** The names in each text, cached because they depend only on its bytes. */
const kept = new Map<string, TextNames>();

async function readSources(
  { db }: SuggestionSourceServices,
  actor: Actor,
  rows: readonly ListedSop[],
): Promise<ReadableSop[]> {
  const unread = rows.filter(({ sop, view }) => !kept.has(visibleFields(sop, view).contentHash));
  const versions = unread.map(({ sop, view }): Filter<SopVersionDocument> => ({
    sopId: sop._id,
    version: versionNumberInView(sop, view),
  }));
  const texts =
    versions.length === 0
      ? []
      : await db
          .forCompany(actor.companyId)
          .collection("sop_versions")
          .find({ $or: versions }, { projection: { contentHash: 1, markdown: 1 } });
  if (kept.size + texts.length > serverLimits.textNames.atMost) kept.clear();
  for (const { contentHash, markdown } of texts) kept.set(contentHash, textNamesIn(markdown));
  return rows.map(({ sop, view }): ReadableSop => {
    const shown = visibleFields(sop, view);
    const names = kept.get(shown.contentHash) ?? textNamesIn("");
    return {
      id: sop._id,
      number: sop.label,
      version: versionNumberInView(sop, view),
      title: shown.title,
      description: shown.description,
      tags: shown.tags,
      categoryId: shown.categoryId,
      reviewBy: sop.published?.reviewBy ?? null,
      names,
      topics: names.topics,
    };
  });
}

const topicsOfTemplates = new Map<string, ReadonlyMap<string, number>>();

function cachedTopicsOf(id: string, markdown: string): ReadonlyMap<string, number> {
  const known = topicsOfTemplates.get(id) ?? mainTopicsOf(searchableText(markdown));
  topicsOfTemplates.set(id, known);
  return known;
}

/**
 * Finds searches that had no results for several people, or after which a person asked for an SOP, and that still find
 * nothing for this user. Searches only texts that the user sees, so the answer reveals no others. Empty for users who
 * don't see every draft of the company.
 */
export async function findSearchesWithoutResults(
  services: Pick<Services, "db" | "clock" | "companies" | "search">,
  actor: Actor,
  atMost: number = searchesAtMost,
): Promise<HomeNeeds["gaps"]["searches"]> {
  if (!canSeeUnrestrictedLatestVersions(actor)) return [];
  const missed = await services.db
    .forCompany(actor.companyId)
    .collection("missed_searches")
    .find({}, { sort: { lastAt: -1 }, limit: 500 });
  const frequent = missed
    .filter(({ people, asked = [] }) => people.length >= peopleAtLeast || asked.length > 0)
    .toSorted((a, b) => Number(b.asked !== undefined) - Number(a.asked !== undefined))
    .slice(0, atMost);
  const names = await findNamesOfActiveUsers(
    services,
    actor,
    frequent.flatMap(({ asked = [] }) => asked),
  );
  const synonyms = frequent.length === 0 ? [] : await loadGlossary(services, actor.companyId);
  const searches: HomeNeeds["gaps"]["searches"] = [];
  for (const { words, people, asked = [] } of frequent) {
    // drafts don't count, because they don't help the people who asked
    const query = { q: words, ...(asked.length > 0 && { status: "published" as const }) };
    const { hits } = await findSops(services, actorForList(actor, query), query, { wanted: 1, synonyms });
    const askedBy = asked.flatMap((id) => names.get(id) ?? []);
    if (hits.length === 0 && (askedBy.length > 0 || people.length >= peopleAtLeast))
      searches.push({ words, people: people.length, askedBy });
  }
  return searches;
}

async function findNamesOfActiveUsers(
  { db }: Pick<Services, "db">,
  { companyId }: Actor,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const users = db.forCompany(companyId).collection("users");
  const found = await users.find({ _id: { $in: [...new Set(ids)] }, status: "active" });
  return new Map(found.map((user) => [user._id, printedName(user)]));
}
