import { X } from "lucide-react";
import { useRead } from "../../api.ts";
import { filtersId, useFiltersShown } from "../../shell/list-controls.ts";
import { Button } from "../../ui/Button.tsx";
import { Field } from "../../ui/Field.tsx";
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
    ...(categories.data ?? []).map((category) => ({ value: category.id, label: category.name })),
  ];
  return (
    <section
      id={filtersId}
      aria-label={texts.filters}
      className="grid gap-3 rounded-lg border border-line bg-surface p-4 sm:grid-cols-[repeat(auto-fit,minmax(9rem,1fr))] sm:items-end"
    >
      {withCategory && (
        <Field label={texts.category}>
          {(control) => (
            <Select
              {...control}
              options={categoryOptions}
              value={filters.category}
              onChange={(event) => set({ category: event.target.value })}
            />
          )}
        </Field>
      )}
      <Field label={texts.status}>
        {(control) => (
          <Select
            {...control}
            options={statusOptions}
            value={filters.status}
            onChange={(event) => set({ status: event.target.value as SopFilters["status"] })}
          />
        )}
      </Field>
      {withTime && (
        <Field label={texts.lastUpdated}>
          {(control) => (
            <Select
              {...control}
              options={timeOptions}
              value={filters.time}
              onChange={(event) => set({ time: event.target.value as SopFilters["time"] })}
            />
          )}
        </Field>
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
