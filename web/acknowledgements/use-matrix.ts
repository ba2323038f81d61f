import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import type { AcknowledgementState } from "#core/acknowledgements/states.ts";
import { keyOf, useClient } from "../api.ts";

export interface MatrixFilter {
  state: AcknowledgementState | "all";
  search: string;
}

/** Everybody whom the filter finds, page by page; what is shown stays until the next answer is there. */
export function useMatrix(id: string, { state, search }: MatrixFilter) {
  const client = useClient();
  const query = { ...(state !== "all" && { state }), ...(search.trim() !== "" && { search: search.trim() }) };
  const params = { id };
  const pages = useInfiniteQuery({
    queryKey: [...keyOf("acknowledgements", "get", { params, query }), "pages"],
    queryFn: ({ pageParam, signal }) =>
      client.acknowledgements.get({
        params,
        query: { ...query, ...(pageParam !== null && { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.matrix?.nextCursor ?? null,
    placeholderData: keepPreviousData,
  });
  const found = pages.data?.pages ?? [];
  return {
    people: found.flatMap(({ matrix }) => matrix?.people ?? []),
    counts: found.at(-1)?.matrix?.counts,
    isPending: pages.isPending,
    isStale: pages.isPlaceholderData,
    hasFailed: pages.isError && !pages.data,
    retry: () => void pages.refetch(),
    hasMore: pages.hasNextPage,
    isLoadingMore: pages.isFetchingNextPage,
    loadMore: () => void pages.fetchNextPage(),
  };
}
