import { useInfiniteQuery } from "@tanstack/react-query";
import { queryKeyOf, useClient } from "../../api.ts";
import type { SopListQuery } from "./use-sop-filters.ts";

/** The size of a page. It fills rows of two, three and four cards. */
export const pageSize = 24;
/** A list of up to this many SOPs renders all its rows (`use-virtual-rows.ts`). */
export const allRenderedAtMost = 500;
/** The size of further pages: the number that a slow computer can render at once. */
const nextPageSize = 48;
/** The size of further pages when only a part of the rows is rendered. Larger pages need fewer requests. */
const nextPageSizeOfLongList = 200;

/** Says whether a list without filters is empty, so that there is nothing to filter. False while the list loads. */
export function useIsEmptyUnfiltered(query: SopListQuery, isFiltered: boolean): boolean {
  const { data } = useSopList(query);
  return !isFiltered && data?.pages[0]?.data.length === 0;
}

/** Reads the pages of a list. All pages are read again when an event reports changed SOPs. */
export function useSopList(query: SopListQuery, limit: number = pageSize) {
  const client = useClient();
  const asked = { ...query, limit };
  return useInfiniteQuery({
    queryKey: [...queryKeyOf("sops", "list", { query: asked }), "pages"],
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
      return { cursor, limit: loaded > allRenderedAtMost ? nextPageSizeOfLongList : nextPageSize };
    },
    // Opening an SOP sends no event, so the list of recent SOPs is read again each time.
    ...(query.recent !== undefined && { refetchOnMount: "always" as const }),
  });
}
