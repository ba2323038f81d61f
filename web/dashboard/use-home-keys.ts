import { useEffect, type RefObject } from "react";
import { fieldOf } from "../shortcuts/keys.ts";
import { useSingleKeys } from "../shortcuts/use-command.ts";

/**
 * j and k move through all rows of the home page, beginning with the waiting work. A row is a link, so Enter opens it.
 */
export function useHomeKeys(page: RefObject<HTMLElement | null>): void {
  const [singleKeys] = useSingleKeys();
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const step = event.key === "j" ? 1 : event.key === "k" ? -1 : 0;
      if (step === 0 || singleKeys === "off" || event.ctrlKey || event.metaKey || event.altKey) return;
      if (fieldOf(event.target) !== "none" || document.querySelector("[data-overlay]")) return;
      const rows = [...(page.current?.querySelectorAll<HTMLElement>("[data-row], [data-sop]") ?? [])];
      const inView = rows.filter((row) => row.checkVisibility?.() !== false);
      const at = inView.findIndex((row) => row === document.activeElement);
      // The list of SOPs at the end handles the same keys and must not move too.
      event.preventDefault();
      inView[at === -1 ? (step === 1 ? 0 : inView.length - 1) : at + step]?.focus();
    };
    window.addEventListener("keydown", onKey, { capture: true });
    return () => window.removeEventListener("keydown", onKey, { capture: true });
  }, [page, singleKeys]);
}
