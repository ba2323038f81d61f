import { useCallback, useRef, useSyncExternalStore } from "react";

/** Does the media query match now? Follows the window, not the paper: what is printed is what was on the screen. */
export function useMedia(query: string): boolean {
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

/** Up to here a screen is a phone's. */
export const smallScreen = "(width < 40rem)";
