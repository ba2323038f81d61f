import { Plus } from "lucide-react";
import { Link } from "react-router-dom";
import { AssistantActive } from "../../ai/AssistantActive.tsx";
import { ImportButton } from "../../import/ImportButton.tsx";
import { useMay } from "../../session.tsx";
import { PageHeading } from "../../shell/PageHeading.tsx";
import { Button } from "../../ui/Button.tsx";
import { lazyPart } from "../../ui/lazy-part.tsx";
import { FilterBar } from "./FilterBar.tsx";
import { LongSopList } from "./LongSopList.tsx";
import { texts } from "../texts.ts";
import { useFacets } from "./use-facets.ts";
import { toQuery, useSopFilters } from "./use-sop-filters.ts";

const NoMatches = lazyPart(() => import("./NoMatches.tsx").then((module) => module.NoMatches));

/** All SOPs: the seed's two variants in one screen. */
export function SopsPage() {
  const { filters, set, clear, isFiltered } = useSopFilters();
  const query = toQuery(filters);
  const facets = useFacets(query);
  const may = useMay();
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <PageHeading
        title={texts.heading}
        badge={<AssistantActive />}
        actions={
          may("sop.create") && (
            <>
              <div className="max-sm:hidden">
                <ImportButton />
              </div>
              <Button asChild variant="primary" size="icon" className="lg:hidden">
                <Link to="/sop/new" aria-label={texts.newSop}>
                  <Plus aria-hidden />
                </Link>
              </Button>
            </>
          )
        }
      />
      <FilterBar filters={filters} set={set} clear={clear} isFiltered={isFiltered} facets={facets} />
      <LongSopList
        query={query}
        title={texts.results}
        isFiltered={isFiltered}
        onClearFilters={clear}
        emptyFiltered={<NoMatches filters={filters} set={set} clear={clear} facets={facets} />}
        sorting={{ sort: filters.sort, onSort: (sort) => set({ sort }) }}
      />
    </div>
  );
}
