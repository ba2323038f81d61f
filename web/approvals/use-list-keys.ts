import { useEffect, useEffectEvent } from "react";
import { typingFieldOf } from "../shortcuts/keys.ts";
import { useSingleKeys } from "../shortcuts/use-command.ts";

/**
 * Lets the keys j and k select the next or previous entry of a list, except in text fields, behind dialogs and for
 * users who turned off single keys.
 */
export function useListKeys(ids: readonly string[], selected: string, select: (id: string) => void): void {
  const [singleKeys] = useSingleKeys();
  const onKey = useEffectEvent((event: KeyboardEvent): void => {
    const step = event.key === "j" ? 1 : event.key === "k" ? -1 : 0;
    if (step === 0 || event.defaultPrevented || ids.length === 0 || event.ctrlKey || event.metaKey || event.altKey)
      return;
    if (typingFieldOf(event.target) !== "none" || singleKeys === "off" || document.querySelector("[data-overlay]"))
      return;
    const at = ids.indexOf(selected);
    const next = ids[at === -1 ? (step === 1 ? 0 : ids.length - 1) : at + step];
    if (next === undefined) return;
    event.preventDefault();
    document.querySelector<HTMLElement>(`[data-sop="${next}"]`)?.focus();
    select(next);
  });
  useEffect(() => {
    const handleKey = (event: KeyboardEvent) => onKey(event);
    window.addEventListener("keydown", handleKey);
    return () => window.removeEventListener("keydown", handleKey);
  }, []);
}
