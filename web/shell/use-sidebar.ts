/** The sidebar: beside the page where there is room, over it where there is none. */
import { useState } from "react";
import { useCommand } from "../shortcuts/use-command.ts";
import { useStored } from "../ui/use-stored.ts";

export const sidebarId = "sidebar";
/** As wide as `lg:`. */
const beside = "(min-width: 64rem)";

export function useSidebar() {
  const [value, keep] = useStored("sidebar", ["shown", "hidden"], "shown");
  const [isOver, setOver] = useState(false);
  const toggle = () => {
    // who had the focus in it comes to where it is shown again
    if (document.getElementById(sidebarId)?.contains(document.activeElement)) {
      document.querySelector<HTMLElement>(`[aria-controls="${sidebarId}"]`)?.focus();
    }
    keep(value === "shown" ? "hidden" : "shown");
  };
  useCommand("sidebar", () => (window.matchMedia(beside).matches ? toggle() : setOver(!isOver)));
  return { shown: value === "shown", toggle, isOver, setOver };
}
