import { useState } from "react";
import type { SopFacets } from "#core/sops/list-schema.ts";
import { useRead } from "../../api.ts";
import { filterTexts } from "./filter-texts.ts";
import type { SopFilters, SopListQuery } from "./use-sop-filters.ts";

/**
 * Reads the values of a list's filters with their counts; `null` until they are known. Old values stay until new values
 * arrive.
 */
export function useFacets(query: SopListQuery): SopFacets | null {
  // Counts don't depend on the order and include the total, so the query leaves both out.
  const { data } = useRead("sops", "list", {
    query: { ...query, sort: undefined, total: undefined, facets: "true", limit: 1 },
  });
  const [known, setKnown] = useState<SopFacets | null>(null);
  const facets = data?.facets;
  if (facets && facets !== known) setKnown(facets);
  return facets ?? known;
}

const names = ["owner", "tag", "team", "lang"] as const;

/** Returns the filter menus to show: those with values to choose from, or nearly all until the values are known. */
export function facetMenusOf(facets: SopFacets | null, filters: SopFilters) {
  return names
    .filter(
      (name) => filters[name] !== "all" || (facets ? facets[name].length >= leastFacetValues(name) : name !== "lang"),
    )
    .map((name) => ({
      name,
      options: [
        { value: "all", label: filterTexts.all[name] },
        ...(facets?.[name] ?? []).map(({ value, label, count }) => ({ value, label: `${label} (${count})` })),
      ],
    }));
}

/** Returns the minimum number of values for a menu. For languages it is 2, because most companies use only one. */
export const leastFacetValues = (name: string): number => (name === "lang" ? 2 : 1);
