/** Keeps the state of the sidebar, which is beside the page if there is room, and otherwise over the page. */
import { useState, useSyncExternalStore } from "react";
import { useCommand } from "../shortcuts/use-command.ts";
import { useStoredChoice } from "../ui/use-stored.ts";

export const sidebarId = "sidebar";
/** The same width as `lg:` in classes. */
const beside = "(min-width: 64rem)";

const isTooNarrowForSidebar = () =>
  window.innerWidth < 64 * parseFloat(getComputedStyle(document.documentElement).fontSize);

function subscribeToResize(listener: () => void): () => void {
  const frame = new ResizeObserver(listener);
  frame.observe(document.body);
  return () => frame.disconnect();
}

/** @param isAway whether the screen shows no sidebar */
export function useSidebar(isAway: boolean) {
  const [value, keep] = useStoredChoice("sidebar", ["shown", "hidden"], "shown");
  const [isOver, setOver] = useState(false);
  // The user's font size can be larger than the one that media queries assume.
  const hasRoom = !useSyncExternalStore(subscribeToResize, isTooNarrowForSidebar);
  const toggleSidebar = () => {
    // If the focus is in the sidebar, it moves to the button that shows the sidebar again.
    if (document.getElementById(sidebarId)?.contains(document.activeElement)) {
      document.querySelector<HTMLElement>(`[aria-controls="${sidebarId}"]`)?.focus();
    }
    keep(value === "shown" ? "hidden" : "shown");
  };
  const toggleForWidth = () => (hasRoom && window.matchMedia(beside).matches ? toggleSidebar() : setOver(!isOver));
  useCommand("sidebar", isAway ? null : toggleForWidth);
  return { shown: value === "shown" && !isAway && hasRoom, hasRoom, toggle: toggleSidebar, isOver, setOver };
}
