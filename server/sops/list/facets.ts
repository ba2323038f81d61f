/** Counts the rows of a list for each value of a filter, with the other filters applied. */
import type { Actor } from "#core/permissions/actor.ts";
import type { Facet, SopFacets, SopQuery } from "#core/sops/list-schema.ts";
import { shownStatus, shownStatuses } from "#core/sops/statuses.ts";
import { printedName } from "#core/users/printed-name.ts";
import type { Services } from "../../http/services.ts";
import { readPeopleById, visibleVersionOfRow } from "./sorted.ts";
import type { ListFilters } from "./streams.ts";
import type { ListedSop } from "./visible.ts";

const facetNames = ["category", "status", "owner", "tag", "team", "lang"] as const;
type FacetName = (typeof facetNames)[number];

/** The fields that `countFacets` reads. */
export const facetFields = {
  status: 1,
  categoryId: 1,
  ownerId: 1,
  teamId: 1,
  tags: 1,
  lang: 1,
  version: 1,
  "scheduled.version": 1,
  "published.categoryId": 1,
  "published.ownerId": 1,
  "published.teamId": 1,
  "published.tags": 1,
  "published.lang": 1,
} as const;

/** Returns the query without the filters that `countFacets` counts. */
export function withoutFacets<Query extends Partial<SopQuery> & Pick<ListFilters, "categories">>(query: Query): Query {
  const {
    category: _,
    categories: __,
    status: ___,
    owner: ____,
    tag: _____,
    team: ______,
    lang: _______,
    ...rest
  } = query;
  return rest as Query;
}

const valuesAtMost = 50;
const languageNames = new Intl.DisplayNames("en", { type: "language" });

/** Returns the name of a language, such as 'German' for `de`. A tag without a name stays as it is. */
function languageName(tag: string): string {
  try {
    return languageNames.of(tag) ?? tag;
  } catch {
    return tag;
  }
}

export async function countFacets(
  { db, companies }: Pick<Services, "db" | "companies">,
  { companyId }: Actor,
  query: Pick<SopQuery, FacetName> & Pick<ListFilters, "categories">,
  rows: Record<"live" | "archived" | "published", readonly ListedSop[]>,
): Promise<SopFacets> {
  // lists leave archived SOPs out, but the counts by status include them
  const live = rows.live.map((row) => facetValuesOf(row, statusFacetsOf(row)));
  const archived = rows.archived.map((row) => facetValuesOf(row, ["archived"]));
  const published = rows.published.map((row) => facetValuesOf(row, ["published"]));
  const listed = query.status === "archived" ? archived : query.status === "published" ? published : live;
  const countsOfFacet = (name: FacetName): Map<string, number> => {
    const chosen = query[name];
    // the chosen value is listed even without rows
    const isNamed = chosen !== undefined && chosen !== "all" && chosen !== "none";
    const counts = new Map<string, number>(isNamed ? [[chosen, 0]] : []);
    const counting = name === "status" ? [...live, ...archived, ...published] : listed;
    for (const values of counting) {
      const matchesFacet = (other: FacetName) =>
        other === "category" && query.categories
          ? values.category.some((id) => query.categories?.includes(id))
          : matchesFacetFilter(values[other], query[other]) ||
            (other === "lang" && hasRegionOf(values.lang, query.lang));
      if (!facetNames.every((other) => other === name || matchesFacet(other))) continue;
      for (const value of values[name]) counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    return counts;
  };
  const [owners, teams, languages] = [countsOfFacet("owner"), countsOfFacet("team"), countsOfFacet("lang")];
  const company = db.forCompany(companyId);
  const [categories, people, named] = await Promise.all([
    companies.categories(companyId),
    readPeopleById(db, companyId, new Set(owners.keys())),
    teams.size === 0 ? [] : company.collection("teams").find({ _id: { $in: [...teams.keys()] } }),
  ]);
  return {
    category: facetList(countsOfFacet("category"), new Map(categories.map(({ _id, name }) => [_id, name]))),
    status: facetList(countsOfFacet("status"), new Map(["all", ...shownStatuses].map((status) => [status, status]))),
    owner: facetList(owners, new Map([...people].map(([id, person]) => [id, printedName(person)]))),
    tag: facetList(countsOfFacet("tag")),
    team: facetList(teams, new Map(named.map(({ _id, name }) => [_id, name]))),
    lang: facetList(languages, new Map([...languages.keys()].map((tag) => [tag, languageName(tag)]))),
  };
}

function facetValuesOf(row: ListedSop, status: readonly string[]): Record<FacetName, readonly string[]> {
  const { categoryId, ownerId, teamId, tags, lang } = visibleVersionOfRow(row);
  const valueList = (value: string | null) => (value === null ? [] : [value]);
  return {
    category: valueList(categoryId),
    status,
    owner: valueList(ownerId),
    tag: [...new Set(tags)],
    team: valueList(teamId),
    lang: valueList(lang),
  };
}

/**
 * Returns the statuses that a row counts for, in the list without archived SOPs. Published versions are counted
 * separately.
 */
function statusFacetsOf({ sop, view }: ListedSop): string[] {
  const status = view === "published" ? "published" : shownStatus(sop);
  return status === "published" ? ["all"] : ["all", status];
}

function matchesFacetFilter(values: readonly string[], wanted: string | undefined): boolean {
  if (wanted === undefined || wanted === "all") return true;
  return wanted === "none" ? values.length === 0 : values.includes(wanted);
}

/** Says whether a value is a regional form of the wanted language: `de` includes `de-AT`, as in the list. */
function hasRegionOf(values: readonly string[], wanted: string | undefined): boolean {
  return wanted !== undefined && values.some((value) => value.startsWith(`${wanted}-`));
}

/**
 * Returns the facets of a filter. Without names, a value is its own label. With names, a value without a name is left
 * out.
 */
function facetList(counts: ReadonlyMap<string, number>, names?: ReadonlyMap<string, string>): Facet[] {
  return [...counts]
    .flatMap(([value, count]) => {
      const label = names ? names.get(value) : value;
      return label === undefined ? [] : [{ value, label, count }];
    })
    .toSorted((one, other) => other.count - one.count || (one.label < other.label ? -1 : 1))
    .slice(0, valuesAtMost);
}
