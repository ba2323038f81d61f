import { X } from "lucide-react";
import type { SopFacets } from "#core/sops/list-schema.ts";
import { Button } from "../../ui/Button.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { texts } from "../texts.ts";
import { filterTexts } from "./filter-texts.ts";
import { unset, type SopFilters } from "./use-sop-filters.ts";

interface NoMatchesProps {
  filters: SopFilters;
  set(change: Partial<SopFilters>): void;
  clear(): void;
  facets: SopFacets | null;
}

const names = ["category", "status", "owner", "tag", "team", "lang"] as const;

/** For an empty list: offers to remove each filter that hides SOPs, or all filters at once. */
export function NoMatches({ filters, set, clear, facets }: NoMatchesProps) {
  const hiding = names.filter(
    (name) =>
      filters[name] !== "all" && facets?.[name].some(({ value, count }) => value !== filters[name] && count > 0),
  );
  const labelOf = (name: (typeof names)[number]) =>
    name === "status"
      ? texts.status
      : (facets?.[name].find(({ value }) => value === filters[name])?.label ??
        (name === "category" ? texts.category : filterTexts[name]));
  return (
    <EmptyState
      title={texts.empty}
      hint={texts.emptyFiltered}
      action={
        <span className="flex flex-wrap justify-center gap-2">
          {hiding.map((name) => (
            <Button key={name} onClick={() => set({ [name]: unset[name] })}>
              <X aria-hidden />
              {filterTexts.without({ name: labelOf(name) })}
            </Button>
          ))}
          <Button onClick={clear}>{texts.clearAll}</Button>
        </span>
      }
    />
  );
}
