import { History } from "lucide-react";
import { recentRanges } from "#core/favorites/rules.ts";
import { PageHeading } from "../shell/PageHeading.tsx";
import { FilterBar } from "../sops/list/FilterBar.tsx";
import { LongSopList } from "../sops/list/LongSopList.tsx";
import { sopListQueryOf, useSopFilters } from "../sops/list/use-sop-filters.ts";
import { EmptyState } from "../ui/EmptyState.tsx";
import { Facet } from "../ui/Facet.tsx";
import { useUrlFilters } from "../use-url-filters.ts";
import { rangeTexts, texts } from "./texts.ts";
import { selectOptionsOf } from "../ui/options.ts";

const defaultRange = { range: "week" };
const rangeChoices = { range: recentRanges };

/** /recent: SOPs that the user opened or changed, the latest first. */
export function RecentPage() {
  const { filters, set, clear, isFiltered } = useSopFilters();
  const recent = useUrlFilters(defaultRange, rangeChoices);
  const range = selectOptionsOf(rangeTexts).find(({ value }) => value === recent.filters.range)?.value ?? "week";
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <PageHeading title={texts.recent} />
      <FilterBar
        filters={filters}
        set={set}
        clear={clear}
        isFiltered={isFiltered}
        withTime={false}
        withSort={false}
        also={
          <Facet
            label={texts.range}
            options={selectOptionsOf(rangeTexts)}
            value={range}
            onValueChange={(next) => recent.set({ range: next })}
          />
        }
      />
      <LongSopList
        query={{ ...sopListQueryOf(filters), recent: range }}
        title={texts.recent}
        isFiltered={isFiltered}
        onClearFilters={clear}
        empty={<EmptyState icon={<History />} title={texts.noRecent} hint={texts.noRecentHint} />}
      />
    </div>
  );
}
