/** Searches while the user types. It waits for a pause, and marks results of an earlier query as stale. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { queryKeyOf, useClient } from "../api.ts";

const pauseMs = 150;
/** Milliseconds to cache results, which is short because most belong to half-typed queries. */
const cacheMs = 60_000;

export function useSearch(text: string, limit: number) {
  const client = useClient();
  const q = useDebounced(text.trim());
  const query = { q, limit };
  const { data, isError, isPlaceholderData, refetch } = useQuery({
    queryKey: queryKeyOf("search", "find", { query }),
    queryFn: ({ signal }) => client.search.find({ query, signal }),
    enabled: q !== "",
    placeholderData: keepPreviousData,
    gcTime: cacheMs,
  });
  const typed = text.trim();
  return {
    /** The query of the last search, which starts after a pause in typing. */
    query: q,
    hits: typed === "" ? [] : (data?.data ?? []),
    showingFor: data?.showingFor,
    isOutdated: data?.behind === true,
    /** True if the hits belong to an earlier query. */
    isStale: typed !== q || isPlaceholderData,
    /** True once the server has answered any query. */
    isKnown: data !== undefined,
    isError,
    retry: () => void refetch(),
  };
}

export type Search = ReturnType<typeof useSearch>;

function useDebounced(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pauseMs);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
