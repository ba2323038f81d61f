import { useCallback, useSyncExternalStore } from "react";

/** Does the media query match now? Follows it. */
export function useMedia(query: string): boolean {
  const follow = useCallback(
    (listener: () => void) => {
      const list = window.matchMedia(query);
      list.addEventListener("change", listener);
      return () => list.removeEventListener("change", listener);
    },
    [query],
  );
  return useSyncExternalStore(follow, () => window.matchMedia(query).matches);
}

/** Up to here a screen is a phone's. */
export const smallScreen = "(width < 40rem)";
