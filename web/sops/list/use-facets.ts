import { useState } from "react";
import type { SopFacets } from "#core/sops/schema.ts";
import { useRead } from "../../api.ts";
import { filterTexts } from "./filter-texts.ts";
import type { SopFilters, SopListQuery } from "./use-sop-filters.ts";

/** The values of a list's filters with their counts; `null` until they are known. The last ones stay until the next are there. */
export function useFacets(query: SopListQuery): SopFacets | null {
  // counts don't depend on the order, and hold the total
  const { data } = useRead("sops", "list", {
    query: { ...query, sort: undefined, total: undefined, facets: "true", limit: 1 },
  });
  const [known, setKnown] = useState<SopFacets | null>(null);
  const facets = data?.facets;
  if (facets && facets !== known) setKnown(facets);
  return facets ?? known;
}

const names = ["owner", "tag", "team", "lang"] as const;

/** The menus that have something to choose. Before the values are known all keep their place. */
export function facetsWith(facets: SopFacets | null, filters: SopFilters) {
  return names
    .filter((name) => filters[name] !== "all" || (facets ? facets[name].length >= least(name) : name !== "lang"))
    .map((name) => ({
      name,
      options: [
        { value: "all", label: filterTexts.all[name] },
        ...(facets?.[name] ?? []).map(({ value, label, count }) => ({ value, label: `${label} (${count})` })),
      ],
    }));
}

/** Most companies write in one language: that is no choice. */
export const least = (name: string): number => (name === "lang" ? 2 : 1);
