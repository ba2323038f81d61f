/** Shows a changed star at once wherever the SOP is on screen, and undoes it if the server refuses. */
import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useCallback, useLayoutEffect, useRef } from "react";
import type { SopRow } from "#core/sops/schema.ts";
import { errorMessageOf, useWrite } from "../api.ts";
import { useToast } from "../ui/Toast.tsx";
import { texts } from "./favorite-texts.ts";

type FavoriteSop = Pick<SopRow, "id" | "title" | "favorite">;

/**
 * Returns a function that adds or removes a favorite. It is always the same function, so that cards don't render again.
 */
export function useToggleFavorite(): (sop: FavoriteSop) => Promise<void> {
  const queryClient = useQueryClient();
  const toast = useToast();
  const { mutateAsync: favorite } = useWrite("sops", "favorite");
  const { mutateAsync: unfavorite } = useWrite("sops", "unfavorite");

  async function setFavorite(sop: FavoriteSop, wanted: boolean): Promise<void> {
    showFavoriteInCache(queryClient, sop.id, wanted);
    try {
      await (wanted ? favorite : unfavorite)({ params: { id: sop.id } });
      const undo = { label: texts.undo, onClick: () => void setFavorite(sop, true) };
      toast({ title: wanted ? texts.added : texts.removed, description: sop.title, ...(!wanted && { action: undo }) });
    } catch (error) {
      showFavoriteInCache(queryClient, sop.id, !wanted);
      toast({ title: texts.error, description: errorMessageOf(error, texts.failed), variant: "destructive" });
    }
  }

  const latest = useRef(setFavorite);
  useLayoutEffect(() => {
    latest.current = setFavorite;
  });
  return useCallback((sop) => latest.current(sop, !sop.favorite), []);
}

/** The forms of cached SOPs: one SOP, a page, or several pages. */
interface CachedSops {
  id?: string;
  data?: readonly FavoriteSop[];
  pages?: readonly { data: readonly FavoriteSop[] }[];
}

/** Changes the star of an SOP in all cached answers, so that every screen shows the change at once. */
function showFavoriteInCache(queryClient: QueryClient, id: string, favorite: boolean): void {
  const withFavoriteInRows = (rows: readonly FavoriteSop[]) =>
    rows.map((row) => (row.id === id ? { ...row, favorite } : row));
  for (const name of ["get", "list"]) {
    queryClient.setQueriesData<CachedSops>({ queryKey: ["sops", name] }, (cached) => {
      if (cached?.id === id) return { ...cached, favorite };
      if (cached?.data) return { ...cached, data: withFavoriteInRows(cached.data) };
      if (cached?.pages)
        return { ...cached, pages: cached.pages.map((page) => ({ ...page, data: withFavoriteInRows(page.data) })) };
      return cached;
    });
  }
}
