import { useLayoutEffect, useRef, type FocusEvent, type RefObject } from "react";

interface FocusInList {
  ref: RefObject<HTMLUListElement | null>;
  onFocus(event: FocusEvent): void;
  onBlur(): void;
}

/** An item that goes with the focus on it passes it on to the next one, or to the last that is left; at the end to what they stand under. */
export function useFocusInList(): FocusInList {
  const ref = useRef<HTMLUListElement>(null);
  const held = useRef<number | null>(null);
  useLayoutEffect(() => {
    if (held.current === null || document.activeElement !== document.body) return;
    const items = [...(ref.current?.children ?? [])];
    const next = items[Math.min(held.current, items.length - 1)]?.querySelector("button");
    (next ?? ref.current?.closest("details")?.querySelector("summary"))?.focus();
  });
  return {
    ref,
    onFocus({ target }) {
      held.current = [...(ref.current?.children ?? [])].findIndex((item) => item.contains(target));
    },
    // whoever is taken away with the focus never hears that he lost it
    onBlur() {
      held.current = null;
    },
  };
}
