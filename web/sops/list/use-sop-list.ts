import { useInfiniteQuery } from "@tanstack/react-query";
import { keyOf, useClient } from "../../api.ts";
import type { SopListQuery } from "./use-sop-filters.ts";

/** Fills rows of two, three and four cards. */
export const pageSize = 24;
/** Up to so many SOPs of a list are all in the page (`use-virtual-rows.ts`). */
export const allInPage = 500;
/** As many as a slow computer can render at once. */
const nextSize = 48;
/** Fewer requests, where only a part of the rows is rendered. */
const nextSizeOfMany = 200;

/** Nothing is listed, and no filter is why: there is nothing to filter. */
export function useIsEmpty(query: SopListQuery, isFiltered: boolean): boolean {
  const { data } = useSopList(query);
  return !isFiltered && data?.pages[0]?.data.length === 0;
}

/** Pages of the list, by cursor; the whole chain is refetched when an event says that SOPs changed. */
export function useSopList(query: SopListQuery, limit: number = pageSize) {
  const client = useClient();
  const asked = { ...query, limit };
  return useInfiniteQuery({
    queryKey: [...keyOf("sops", "list", { query: asked }), "pages"],
    queryFn: ({ pageParam, signal }) =>
      client.sops.list({
        query: {
          ...asked,
          ...pageParam,
        },
        signal,
      }),
    initialPageParam: null as { cursor: string; limit: number } | null,
    getNextPageParam({ nextCursor: cursor }, pages) {
      if (cursor === undefined) return null;
      if (limit !== pageSize) return { cursor, limit };
      const loaded = pages.reduce((sum, { data }) => sum + data.length, 0);
      return { cursor, limit: loaded > allInPage ? nextSizeOfMany : nextSize };
    },
    // opening an SOP is a read, which sends no event
    ...(query.recent !== undefined && { refetchOnMount: "always" as const }),
  });
}
