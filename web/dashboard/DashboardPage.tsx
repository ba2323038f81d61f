/** The home page: what waits for me, what I work with, and the company's numbers below. */
import { useMay } from "../session.tsx";
import { FilterBar } from "../sops/list/FilterBar.tsx";
import { SopList } from "../sops/list/SopList.tsx";
import { toQuery, useSopFilters } from "../sops/list/use-sop-filters.ts";
import { Company } from "./Company.tsx";
import { FirstSteps } from "./FirstSteps.tsx";
import { LateAndGaps } from "./Late.tsx";
import { Drafts, Shelves } from "./Shelves.tsx";
import { texts } from "./texts.ts";
import { Waiting } from "./Waiting.tsx";

const shownAtOnce = 12;

export function DashboardPage() {
  const { filters, set, clear, isFiltered } = useSopFilters();
  const isAuthor = useMay()("sop.create");
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-8">
      <Waiting />
      <FirstSteps />
      {isAuthor ? (
        <>
          <Drafts />
          <LateAndGaps />
        </>
      ) : (
        <Shelves />
      )}
      <Company />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <FilterBar filters={filters} set={set} clear={clear} isFiltered={isFiltered} />
        <SopList
          query={toQuery(filters)}
          title={isFiltered ? texts.recentFiltered : texts.recent}
          titleShown
          limit={shownAtOnce}
          isFiltered={isFiltered}
          onClearFilters={clear}
        />
      </div>
    </div>
  );
}
