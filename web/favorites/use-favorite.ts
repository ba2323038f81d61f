/** Starring shows at once, everywhere the SOP is on screen; a refusal takes it back. */
import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useCallback, useLayoutEffect, useRef } from "react";
import type { SopRow } from "#core/sops/schema.ts";
import { messageOf, useWrite } from "../api.ts";
import { useToast } from "../ui/Toast.tsx";
import { texts } from "./favorite-texts.ts";

type Starred = Pick<SopRow, "id" | "title" | "favorite">;

/** @returns always the same function, so that no card is drawn anew for it */
export function useStar(): (sop: Starred) => Promise<void> {
  const queryClient = useQueryClient();
  const toast = useToast();
  const { mutateAsync: favorite } = useWrite("sops", "favorite");
  const { mutateAsync: unfavorite } = useWrite("sops", "unfavorite");

  async function set(sop: Starred, wanted: boolean): Promise<void> {
    showStar(queryClient, sop.id, wanted);
    try {
      await (wanted ? favorite : unfavorite)({ params: { id: sop.id } });
      const undo = { label: texts.undo, onClick: () => void set(sop, true) };
      toast({ title: wanted ? texts.added : texts.removed, description: sop.title, ...(!wanted && { action: undo }) });
    } catch (error) {
      showStar(queryClient, sop.id, !wanted);
      toast({ title: texts.error, description: messageOf(error, texts.failed), variant: "destructive" });
    }
  }

  const latest = useRef(set);
  useLayoutEffect(() => {
    latest.current = set;
  });
  return useCallback((sop) => latest.current(sop, !sop.favorite), []);
}

/** The shapes under which reads of SOPs are kept: one SOP, a page, a chain of pages. */
interface Kept {
  id?: string;
  data?: readonly Starred[];
  pages?: readonly { data: readonly Starred[] }[];
}

function showStar(queryClient: QueryClient, id: string, favorite: boolean): void {
  const inRows = (rows: readonly Starred[]) => rows.map((row) => (row.id === id ? { ...row, favorite } : row));
  for (const name of ["get", "list"]) {
    queryClient.setQueriesData<Kept>({ queryKey: ["sops", name] }, (kept) => {
      if (kept?.id === id) return { ...kept, favorite };
      if (kept?.data) return { ...kept, data: inRows(kept.data) };
      if (kept?.pages) return { ...kept, pages: kept.pages.map((page) => ({ ...page, data: inRows(page.data) })) };
      return kept;
    });
  }
}
