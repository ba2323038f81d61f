import { LayoutGrid, List, ListChecks, ListFilter, X } from "lucide-react";
import { useRef, useState, type ReactNode } from "react";
import { categoryOptions } from "../../categories/category-options.ts";
import type { SopFacets } from "#core/sops/list-schema.ts";
import { useRead } from "../../api.ts";
import { useListView } from "../../shell/list-controls.ts";
import { commands } from "../../shortcuts/registry.ts";
import { runCommand, useCommand, useLiveCommands } from "../../shortcuts/use-command.ts";
import { Button } from "../../ui/Button.tsx";
import { Facet } from "../../ui/Facet.tsx";
import { IconButton } from "../../ui/IconButton.tsx";
import { FilterTabs } from "../../ui/Tabs.tsx";
import { smallScreenQuery, useMediaQuery } from "../../ui/use-media-query.ts";
import { statusTexts, texts, timeTexts } from "../texts.ts";
import { bulkTexts } from "./bulk-texts.ts";
import { filterTexts } from "./filter-texts.ts";
import { SortMenu } from "./SortMenu.tsx";
import { facetMenusOf } from "./use-facets.ts";
import type { SopFilters } from "./use-sop-filters.ts";
import { selectOptionsOf } from "../../ui/options.ts";

export interface FilterBarProps {
  filters: SopFilters;
  set(change: Partial<SopFilters>): void;
  clear(): void;
  isFiltered: boolean;
  /**
   * The filters' values with their counts; null until they are known, absent on a screen that reads none. Owner, tag,
   * team and all counts need them.
   */
  facets?: SopFacets | null;
  /** True to offer categories; not on the screen of one category. */
  withCategory?: boolean;
  /** True to offer a time; not on a screen with its own time range. */
  withTime?: boolean;
  /** True to offer an order; not on a screen with its own order. */
  withSort?: boolean;
  /** A menu of the screen, placed before the others. */
  also?: ReactNode;
}

/** Status as tabs with counts, below them menus for other filters and the order, and a switch to cards. */
export function FilterMenus({
  filters,
  set,
  clear,
  isFiltered,
  facets,
  withCategory = true,
  withTime = true,
  withSort = true,
  also,
}: FilterBarProps) {
  const menus = useRef<HTMLElement>(null);
  const [isOpen, setOpen] = useState(false);
  const isSmall = useMediaQuery(smallScreenQuery);
  const { status: _, search: __, sort: ___, ...others } = filters;
  const isSet = Object.values(others).some((value) => value !== "all" && value !== "anytime");
  const isExpanded = !isSmall || isOpen || isSet;
  const shown = isExpanded || also !== undefined;
  useCommand("filters", () => {
    setOpen(true);
    menus.current?.querySelector("select")?.focus();
  });
  const countOf = (status: string) => facets?.status.find(({ value }) => value === status)?.count ?? 0;
  const tabs = selectOptionsOf(statusTexts)
    // Most companies have no scheduled SOPs, so that tab is shown only if there are some.
    .filter(({ value }) => value !== "scheduled" || value === filters.status || countOf(value) > 0)
    .map((option) => ({
      ...option,
      ...(facets !== undefined && { count: facets && countOf(option.value) }),
    }));
  const sort = withSort && <SortMenu filters={filters} set={set} isSmall={isSmall} />;
  return (
    <div className="-mb-2 grid min-w-0 grid-cols-[minmax(0,1fr)] gap-1">
      <div className="flex min-w-0 items-center gap-2">
        <div className="scroll-row flex min-w-0 flex-1 gap-2">
          {isSmall && (
            <Button aria-expanded={isExpanded} onClick={() => setOpen(!isOpen)}>
              <ListFilter aria-hidden />
              {filterTexts.filter}
            </Button>
          )}
          {isSmall && sort}
          <FilterTabs
            label={texts.status}
            value={filters.status}
            onValueChange={(status) => set({ status: status as SopFilters["status"] })}
            tabs={tabs}
          />
        </div>
        <SelectButton />
        {!isSmall && <ViewSwitch />}
      </div>
      {shown && (
        <section ref={menus} aria-label={filterTexts.filters} className="-mx-2 flex flex-wrap items-center gap-1">
          {also}
          {withCategory && isExpanded && <CategoryFacet filters={filters} set={set} />}
          {facets !== undefined &&
            isExpanded &&
            facetMenusOf(facets, filters).map((facet) => (
              <Facet
                key={facet.name}
                label={filterTexts[facet.name]}
                unset="all"
                options={facet.options}
                value={filters[facet.name]}
                onValueChange={(value) => set({ [facet.name]: value })}
              />
            ))}
          {withTime && isExpanded && (
            <Facet
              label={filterTexts.lastUpdated}
              unset="anytime"
              options={selectOptionsOf(timeTexts)}
              value={filters.time}
              onValueChange={(time) => set({ time: time as SopFilters["time"] })}
            />
          )}
          <FiltersFromLinks filters={filters} set={set} />
          {isFiltered && (
            <Button size="sm" variant="soft" onClick={clear}>
              <X aria-hidden />
              {texts.clearAll}
            </Button>
          )}
          {!isSmall && sort}
        </section>
      )}
    </div>
  );
}

type FilterMenuProps = Pick<FilterBarProps, "filters" | "set">;

function CategoryFacet({ filters, set }: FilterMenuProps) {
  const categories = useRead("categories", "list", {});
  const options = [{ value: "all", label: filterTexts.allCategories }, ...categoryOptions(categories.data)];
  return (
    <Facet
      label={texts.category}
      unset="all"
      options={options}
      value={filters.category}
      onValueChange={(category) => set({ category })}
    />
  );
}

/** Shows filters that a link from another screen has set. Users can remove them here but not set them. */
function FiltersFromLinks({ filters, set }: FilterMenuProps) {
  return (
    <>
      {filters.review !== "all" && <FilterChip label={filterTexts.reviewDue} onRemove={() => set({ review: "all" })} />}
      {filters.mine !== "all" && <FilterChip label={filterTexts.mine} onRemove={() => set({ mine: "all" })} />}
    </>
  );
}

function FilterChip({ label, onRemove }: { label: string; onRemove(): void }) {
  return (
    <Button
      size="sm"
      variant="soft"
      onClick={onRemove}
      aria-label={filterTexts.removeFilter({ name: label })}
      className="bg-primary-soft! text-primary!"
    >
      {label}
      <X aria-hidden />
    </Button>
  );
}

/**
 * A button that starts selecting by mouse or touch; on a keyboard x selects. Shown only if the list supports selection.
 */
function SelectButton() {
  if (!useLiveCommands().includes("select")) return null;
  return (
    <IconButton label={bulkTexts.select} shortcut={commands.select.keys} onClick={() => runCommand("select")}>
      <ListChecks aria-hidden />
    </IconButton>
  );
}

const switchStyle = "aria-pressed:bg-primary-soft! aria-pressed:text-primary!";

function ViewSwitch() {
  const [view, setView] = useListView();
  const isGrid = view === "grid";
  useCommand("view", () => setView(isGrid ? "list" : "grid"));
  return (
    <div className="flex gap-1">
      <IconButton
        label={filterTexts.listView}
        shortcut={commands.view.keys}
        aria-pressed={!isGrid}
        className={switchStyle}
        onClick={() => setView("list")}
      >
        <List aria-hidden />
      </IconButton>
      <IconButton
        label={filterTexts.gridView}
        shortcut={commands.view.keys}
        aria-pressed={isGrid}
        className={switchStyle}
        onClick={() => setView("grid")}
      >
        <LayoutGrid aria-hidden />
      </IconButton>
    </div>
  );
}
