import { useEffectEvent, useLayoutEffect, useRef, type RefObject } from "react";

/**
 * Returns a `ref` for an element. `onLost` is called when the element disappears with the focus in it, while the focus
 * can still be moved.
 */
export function useFocusLossRef<E extends HTMLElement>(onLost: () => void): RefObject<E | null> {
  const element = useRef<E>(null);
  const lost = useEffectEvent(onLost);
  useLayoutEffect(() => {
    const shown = element.current;
    return () => {
      if (shown?.contains(document.activeElement)) lost();
    };
  }, []);
  return element;
}

/** Focuses an element without scrolling, even an element that normally can't have the focus. */
export function focusOn(element: HTMLElement | null): void {
  if (!element) return;
  if (element.tabIndex < 0) element.setAttribute("tabindex", "-1");
  element.focus({ preventScroll: true });
}
