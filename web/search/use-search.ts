/** Answers while one types: asked for after a pause, and only the last question's are shown as such. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { keyOf, useClient } from "../api.ts";

const pauseMs = 150;
/** What was typed on the way to a question is soon forgotten. */
const keptMs = 60_000;

export function useSearch(text: string, limit: number) {
  const client = useClient();
  const q = useDebounced(text.trim());
  const query = { q, limit };
  const { data, isError, isPlaceholderData, refetch } = useQuery({
    queryKey: keyOf("search", "find", { query }),
    queryFn: ({ signal }) => client.search.find({ query, signal }),
    enabled: q !== "",
    placeholderData: keepPreviousData,
    gcTime: keptMs,
  });
  const typed = text.trim();
  return {
    /** The question that was asked last. */
    query: q,
    hits: typed === "" ? [] : (data?.data ?? []),
    showingFor: data?.showingFor,
    isOutdated: data?.behind === true,
    /** The answers are to what was typed before. */
    isStale: typed !== q || isPlaceholderData,
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
