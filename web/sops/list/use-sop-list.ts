import { useInfiniteQuery } from "@tanstack/react-query";
import { keyOf, useClient } from "../../api.ts";
import type { SopListQuery } from "./use-sop-filters.ts";

/** Fills rows of two, three and four cards. */
export const pageSize = 24;
/** Whoever goes on, goes on for long: fewer questions, and fewer to ask again when an SOP changed. */
const nextSize = 200;

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
          ...(pageParam !== null && { cursor: pageParam, limit: limit === pageSize ? nextSize : limit }),
        },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor ?? null,
    // opening an SOP is a read, which nobody is told of
    ...(query.recent !== undefined && { refetchOnMount: "always" as const }),
  });
}
