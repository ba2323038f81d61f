/** The filters beside search results: each value with the number of hits that it leaves. */
import { useState } from "react";
import type { Facet, SopFacets } from "#core/sops/list-schema.ts";
import { filterTexts } from "../sops/list/filter-texts.ts";
import { texts as listTexts } from "../sops/texts.ts";
import { leastFacetValues } from "../sops/list/use-facets.ts";
import { unset, type SopFilters } from "../sops/list/use-sop-filters.ts";
import { knownStatusOf, statusNames } from "../ui/StatusBadge.tsx";
import { pageTexts } from "./page-texts.ts";

const facetNames = ["status", "category", "owner", "tag", "team", "lang"] as const;
type FacetName = (typeof facetNames)[number];

interface SearchFacetsProps {
  facets: SopFacets | null;
  filters: SopFilters;
  set(change: Partial<SopFilters>): void;
}

export function SearchFacets({ facets, filters, set }: SearchFacetsProps) {
  if (!facets) return null;
  return facetNames.map((name) => (
    <FacetGroup
      key={name}
      name={name}
      values={facets[name].filter(({ value, count }) => value !== "all" && (count > 0 || value === filters[name]))}
      chosen={filters[name]}
      choose={(value) => set({ [name]: value === filters[name] ? unset[name] : value })}
    />
  ));
}

const shownAtMost = 5;

interface FacetGroupProps {
  name: FacetName;
  values: readonly Facet[];
  chosen: string;
  choose(value: string): void;
}

function FacetGroup({ name, values, chosen, choose }: FacetGroupProps) {
  const [isWhole, setWhole] = useState(false);
  if (values.length < leastFacetValues(name) && !values.some(({ value }) => value === chosen)) return null;
  const shown = isWhole ? values : values.filter(({ value }, at) => at < shownAtMost || value === chosen);
  const title = name === "status" || name === "category" ? listTexts[name] : filterTexts[name];
  return (
    <section aria-label={title} className="mb-4 grid">
      <h2 className="text-t2 font-medium text-muted">{title}</h2>
      {shown.map(({ value, label, count }) => (
        <button
          key={value}
          type="button"
          aria-pressed={value === chosen}
          onClick={() => choose(value)}
          className="-mx-2 flex min-h-8 items-center justify-between gap-2 rounded-md px-2 text-left text-sm hover:bg-sunken aria-pressed:bg-primary-soft aria-pressed:font-medium aria-pressed:text-primary pointer-coarse:min-h-11"
        >
          <span className="truncate">{name === "status" ? statusNames[knownStatusOf(value)] : label}</span>{" "}
          <span className="text-t2 font-normal text-muted tabular-nums">{count}</span>
        </button>
      ))}
      {shown.length < values.length && (
        <button
          type="button"
          onClick={() => setWhole(true)}
          className="-mx-2 min-h-8 rounded-md px-2 text-left text-sm text-muted hover:bg-sunken pointer-coarse:min-h-11"
        >
          {pageTexts.all({ count: values.length, name: pageTexts.many[name] })}
        </button>
      )}
    </section>
  );
}
