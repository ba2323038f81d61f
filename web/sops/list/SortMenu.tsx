import { ArrowUpDown } from "lucide-react";
import { Facet } from "../../ui/Facet.tsx";
import { filterTexts, sortTexts } from "./filter-texts.ts";
import type { SopFilters } from "./use-sop-filters.ts";
import { selectOptionsOf } from "../../ui/options.ts";

interface SortMenuProps {
  filters: SopFilters;
  set(change: Partial<SopFilters>): void;
  isSmall: boolean;
}

/** The menu for the order. The default is best match for a search and latest update for a list. */
export function SortMenu({ filters, set, isSmall }: SortMenuProps) {
  const own = filters.search.trim() === "" ? "-updated" : "relevance";
  const options = selectOptionsOf(sortTexts).filter(({ value }) => own === "relevance" || value !== "relevance");
  return (
    <Facet
      label={filterTexts.sort}
      icon={<ArrowUpDown />}
      framed={isSmall}
      {...(isSmall && { face: filterTexts.sort })}
      options={options}
      value={filters.sort || own}
      onValueChange={(sort) => set({ sort: sort === own ? "" : (sort as SopFilters["sort"]) })}
      className={isSmall ? "shrink-0" : "ml-auto"}
    />
  );
}
