/** Reads lists page by page. */
import { keepPreviousData, useInfiniteQuery, type UseInfiniteQueryResult } from "@tanstack/react-query";
import { queryKeyOf, useClient, type AppClient, type Input } from "./api.ts";
import type { TableRows } from "./ui/DataTable.tsx";

/** One page of a list as the server returns it. The last page has no `nextCursor`. */
interface LoadedPage<Row> {
  data: Row[];
  nextCursor?: string | undefined;
  total?: number | undefined;
}

interface PagesInput {
  query: Record<string, unknown>;
  signal?: AbortSignal;
}

/** The type of a row in a list of the API contract. */
type RowOf<List> = List extends (...input: never[]) => Promise<{ data: (infer Row)[] }> ? Row : never;

/** Groups of the API contract that have a list with pages. */
type PagedGroup = { [G in keyof AppClient]: "list" extends keyof AppClient[G] ? G : never }[keyof AppClient];

export interface Pages<Row> extends TableRows<Row> {
  /** The number of rows on all pages; undefined until it is known and if the server doesn't count. */
  total: number | undefined;
}

/**
 * Reads the pages of a group's `list` one after another, as in `usePages("adminUsers", {search: "ann"})`. The current
 * rows stay until the next filter's answer arrives.
 */
export function usePages<G extends PagedGroup>(
  group: G,
  query: Record<string, string>,
  limit = 50,
): Pages<RowOf<AppClient[G]["list" & keyof AppClient[G]]>> {
  type Row = RowOf<AppClient[G]["list" & keyof AppClient[G]]>;
  const client = useClient();
  const list = client[group]["list" as keyof AppClient[G]] as unknown as (
    input: PagesInput,
  ) => Promise<LoadedPage<Row>>;
  const pageQuery = { ...query, limit };
  const pages = useInfiniteQuery({
    queryKey: [...queryKeyOf(group, "list" as never, { query: pageQuery } as Input<G, never>), "pages"],
    queryFn: ({ pageParam, signal }) =>
      list({ query: { ...pageQuery, ...(pageParam !== null && { cursor: pageParam }) }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor ?? null,
    placeholderData: keepPreviousData,
  });
  return {
    rows: pages.data?.pages.flatMap((page) => page.data) ?? [],
    total: pages.data?.pages.at(-1)?.total,
    ...pagesStateOf(pages),
  };
}

/** Returns the state of a list that is read page by page, in the form that tables take. */
export function pagesStateOf(pages: UseInfiniteQueryResult) {
  return {
    isPending: pages.isPending,
    isStale: pages.isPlaceholderData,
    hasFailed: pages.isError && !pages.data,
    retry: () => void pages.refetch(),
    more: {
      hasMore: pages.hasNextPage,
      isLoading: pages.isFetchingNextPage,
      hasFailed: pages.isFetchNextPageError,
      load: () => void pages.fetchNextPage(),
    },
  };
}
