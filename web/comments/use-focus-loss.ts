import { useEffectEvent, useLayoutEffect, useRef, type RefObject } from "react";

/** Calls `onLost` when the element leaves the screen with the focus in it, while that can still be moved elsewhere. */
export function useFocusLoss<E extends HTMLElement>(onLost: () => void): RefObject<E | null> {
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

/** Gives the focus to an element that does not take it by itself. */
export function focusOn(element: HTMLElement | null): void {
  if (!element) return;
  if (element.tabIndex < 0) element.setAttribute("tabindex", "-1");
  element.focus({ preventScroll: true });
}
