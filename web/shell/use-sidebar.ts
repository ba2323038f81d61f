/** The sidebar: beside the page where there is room, over it where there is none. */
import { useState, useSyncExternalStore } from "react";
import { useCommand } from "../shortcuts/use-command.ts";
import { useStored } from "../ui/use-stored.ts";

export const sidebarId = "sidebar";
/** As wide as `lg:`. */
const beside = "(min-width: 64rem)";

const isCramped = () => window.innerWidth < 64 * parseFloat(getComputedStyle(document.documentElement).fontSize);

function onResize(listener: () => void): () => void {
  const frame = new ResizeObserver(listener);
  frame.observe(document.body);
  return () => frame.disconnect();
}

/** @param isAway the screen has no place for it */
export function useSidebar(isAway: boolean) {
  const [value, keep] = useStored("sidebar", ["shown", "hidden"], "shown");
  const [isOver, setOver] = useState(false);
  // letters can be larger than those that a media query counts in
  const hasRoom = !useSyncExternalStore(onResize, isCramped);
  const toggle = () => {
    // who had the focus in it comes to where it is shown again
    if (document.getElementById(sidebarId)?.contains(document.activeElement)) {
      document.querySelector<HTMLElement>(`[aria-controls="${sidebarId}"]`)?.focus();
    }
    keep(value === "shown" ? "hidden" : "shown");
  };
  const move = () => (hasRoom && window.matchMedia(beside).matches ? toggle() : setOver(!isOver));
  useCommand("sidebar", isAway ? null : move);
  return { shown: value === "shown" && !isAway && hasRoom, hasRoom, toggle, isOver, setOver };
}
