import { FilterBar } from "./FilterBar.tsx";
import { LongSopList } from "./LongSopList.tsx";
import type { SopListProps } from "./SopList.tsx";
import { useFacets } from "./use-facets.ts";
import type { useSopFilters } from "./use-sop-filters.ts";
import { useIsEmptyUnfiltered } from "./use-sop-list.ts";

type FilteredSopsProps = ReturnType<typeof useSopFilters> &
  Pick<SopListProps, "query" | "title" | "empty" | "emptyFiltered"> & {
    /** True to offer categories; not on the screen of one category. */
    withCategory?: boolean;
  };

/** A list of SOPs with its filters and their counts. */
export function FilteredSops({
  filters,
  set,
  clear,
  isFiltered,
  query,
  withCategory = true,
  ...list
}: FilteredSopsProps) {
  return (
    <>
      <FilterBar
        filters={filters}
        set={set}
        clear={clear}
        isFiltered={isFiltered}
        isEmpty={useIsEmptyUnfiltered(query, isFiltered)}
        facets={useFacets(query)}
        withCategory={withCategory}
      />
      <LongSopList
        {...list}
        query={query}
        isFiltered={isFiltered}
        onClearFilters={clear}
        sorting={{ sort: filters.sort, onSort: (sort) => set({ sort }) }}
      />
    </>
  );
}
