import { X } from "lucide-react";
import { categoryPath } from "#core/categories/rules.ts";
import { useRead } from "../../api.ts";
import { filtersId, useFiltersShown } from "../../shell/list-controls.ts";
import { Button } from "../../ui/Button.tsx";
import { Select } from "../../ui/Select.tsx";
import { statusOptions, texts, timeOptions } from "../texts.ts";
import type { SopFilters } from "./use-sop-filters.ts";

interface FilterBarProps {
  filters: SopFilters;
  set(change: Partial<SopFilters>): void;
  clear(): void;
  isFiltered: boolean;
  /** Off where the screen is one category. */
  withCategory?: boolean;
  /** Off where the screen has a time range of its own. */
  withTime?: boolean;
}

/** Category, status, last updated; shown or hidden by the top bar's toggle. */
export function FilterBar({ filters, set, clear, isFiltered, withCategory = true, withTime = true }: FilterBarProps) {
  const { shown } = useFiltersShown();
  const categories = useRead("categories", "list", {}, { enabled: shown && withCategory });
  const also = (
    <>
      {filters.review !== "all" && <Also label={texts.reviewDue} onRemove={() => set({ review: "all" })} />}
      {filters.mine !== "all" && <Also label={texts.mine} onRemove={() => set({ mine: "all" })} />}
    </>
  );
  // these are not chosen here: they are shown even while the bar is closed
  if (!shown) return isFiltered ? <div className="flex flex-wrap gap-2 empty:hidden">{also}</div> : null;
  const categoryOptions = [
    { value: "all", label: texts.allCategories },
    ...(categories.data ?? []).map(({ id }, _, all) => ({ value: id, label: categoryPath(all, id) })),
  ];
  return (
    <section id={filtersId} aria-label={texts.filters} className="flex flex-wrap items-center gap-2">
      {withCategory && (
        <Select
          quiet
          aria-label={texts.category}
          options={categoryOptions}
          value={filters.category}
          onChange={(event) => set({ category: event.target.value })}
        />
      )}
      <Select
        quiet
        aria-label={texts.status}
        options={statusOptions}
        value={filters.status}
        onChange={(event) => set({ status: event.target.value as SopFilters["status"] })}
      />

      {withTime && (
        <Select
          quiet
          aria-label={texts.lastUpdated}
          options={timeOptions}
          value={filters.time}
          onChange={(event) => set({ time: event.target.value as SopFilters["time"] })}
        />
      )}
      {also}
      <Button variant="ghost" disabled={!isFiltered} onClick={clear} className="justify-self-start">
        <X aria-hidden />
        {texts.clearAll}
      </Button>
    </section>
  );
}

/** A filter that another screen set: it is taken away here. */
function Also({ label, onRemove }: { label: string; onRemove(): void }) {
  return (
    <Button onClick={onRemove} aria-label={texts.removeFilter(label)} className="justify-self-start">
      {label}
      <X aria-hidden />
    </Button>
  );
}
