/** The sidebar: beside the page where there is room, over it where there is none. */
import { useState } from "react";
import { useCommand } from "../shortcuts/use-command.ts";
import { useStored } from "../ui/use-stored.ts";

export const sidebarId = "sidebar";
/** As wide as `lg:`. */
const beside = "(min-width: 64rem)";

/** @param isAway the screen has no place for it */
export function useSidebar(isAway: boolean) {
  const [value, keep] = useStored("sidebar", ["shown", "hidden"], "shown");
  const [isOver, setOver] = useState(false);
  const toggle = () => {
    // who had the focus in it comes to where it is shown again
    if (document.getElementById(sidebarId)?.contains(document.activeElement)) {
      document.querySelector<HTMLElement>(`[aria-controls="${sidebarId}"]`)?.focus();
    }
    keep(value === "shown" ? "hidden" : "shown");
  };
  const move = () => (window.matchMedia(beside).matches ? toggle() : setOver(!isOver));
  useCommand("sidebar", isAway ? null : move);
  return { shown: value === "shown" && !isAway, toggle, isOver, setOver };
}
