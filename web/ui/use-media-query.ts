import { useCallback, useRef, useSyncExternalStore } from "react";

/**
 * Says whether the media query matches the window. A print keeps the result of the window, so that it shows what was on
 * screen.
 */
export function useMediaQuery(query: string): boolean {
  const seen = useRef<{ query: string; matches: boolean }>(null);
  const follow = useCallback(
    (listener: () => void) => {
      const list = window.matchMedia(query);
      list.addEventListener("change", listener);
      return () => list.removeEventListener("change", listener);
    },
    [query],
  );
  return useSyncExternalStore(follow, () => {
    const isPaper = window.matchMedia("print").matches;
    if (!isPaper || seen.current?.query !== query) seen.current = { query, matches: window.matchMedia(query).matches };
    return seen.current.matches;
  });
}

/** The media query for phones. */
export const smallScreenQuery = "(width < 40rem)";
