import { Star } from "lucide-react";
import { useEffect, useRef } from "react";
import { Link } from "react-router-dom";
import { PageHeading } from "../shell/PageHeading.tsx";
import { FilterBar } from "../sops/list/FilterBar.tsx";
import { LongSopList } from "../sops/list/LongSopList.tsx";
import { toQuery, useSopFilters } from "../sops/list/use-sop-filters.ts";
import { useIsEmpty, useSopList } from "../sops/list/use-sop-list.ts";
import { Button } from "../ui/Button.tsx";
import { EmptyState } from "../ui/EmptyState.tsx";
import { texts } from "./texts.ts";

/** /favorites: what I starred. */
export function FavoritesPage() {
  const { filters, set, clear, isFiltered } = useSopFilters();
  const query = { ...toQuery(filters), favorite: "true" } as const;
  const list = useFocusAfterRemoval(useSopList(query).data);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <PageHeading title={texts.favorites} />
      <FilterBar
        filters={filters}
        set={set}
        clear={clear}
        isFiltered={isFiltered}
        isEmpty={useIsEmpty(query, isFiltered)}
      />
      <div ref={list} tabIndex={-1} className="outline-none">
        <LongSopList
          query={query}
          title={texts.favorites}
          isFiltered={isFiltered}
          onClearFilters={clear}
          sorting={{ sort: filters.sort, onSort: (sort) => set({ sort }) }}
          empty={<NoFavorites />}
        />
      </div>
    </div>
  );
}

function NoFavorites() {
  return (
    <EmptyState
      icon={<Star />}
      title={texts.noFavorites}
      hint={texts.noFavoritesHint}
      action={
        <Button asChild>
          <Link to="/sops">{texts.browse}</Link>
        </Button>
      }
    />
  );
}

/** A card goes with its star, and with it the keyboard's place: the list takes that over. */
function useFocusAfterRemoval(shown: unknown) {
  const list = useRef<HTMLDivElement>(null);
  const wasInside = useRef(false);
  useEffect(() => {
    const note = () => {
      wasInside.current = list.current?.contains(document.activeElement) ?? false;
    };
    document.addEventListener("focusin", note);
    return () => document.removeEventListener("focusin", note);
  }, []);
  useEffect(() => {
    if (wasInside.current && document.activeElement === document.body) list.current?.focus({ preventScroll: true });
  }, [shown]);
  return list;
}
