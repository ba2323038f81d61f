import { Star } from "lucide-react";
import { useEffect, useRef } from "react";
import { Link } from "react-router-dom";
import { PageHeading } from "../shell/PageHeading.tsx";
import { FilteredSops } from "../sops/list/FilteredSops.tsx";
import { sopListQueryOf, useSopFilters } from "../sops/list/use-sop-filters.ts";
import { useSopList } from "../sops/list/use-sop-list.ts";
import { Button } from "../ui/Button.tsx";
import { EmptyState } from "../ui/EmptyState.tsx";
import { texts } from "./texts.ts";

/** /favorites: the user's favorite SOPs. */
export function FavoritesPage() {
  const filters = useSopFilters();
  const query = { ...sopListQueryOf(filters.filters), favorite: "true" } as const;
  const list = useFocusAfterRemoval(useSopList(query).data);
  return (
    <div ref={list} tabIndex={-1} className="grid grid-cols-[minmax(0,1fr)] gap-5 outline-none">
      <PageHeading title={texts.favorites} />
      <FilteredSops {...filters} query={query} title={texts.favorites} empty={<NoFavorites />} />
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

/**
 * Returns a `ref` for the list. The list takes the focus when the card with the focus disappears, because its star was
 * removed.
 */
function useFocusAfterRemoval(shown: unknown) {
  const list = useRef<HTMLDivElement>(null);
  const wasInside = useRef(false);
  useEffect(() => {
    const rememberFocus = () => {
      wasInside.current = list.current?.contains(document.activeElement) ?? false;
    };
    document.addEventListener("focusin", rememberFocus);
    return () => document.removeEventListener("focusin", rememberFocus);
  }, []);
  useEffect(() => {
    if (wasInside.current && document.activeElement === document.body) list.current?.focus({ preventScroll: true });
  }, [shown]);
  return list;
}
