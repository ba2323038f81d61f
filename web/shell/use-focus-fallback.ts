import { useEffect } from "react";

/**
 * The focused element may be removed: a button that did its work, a deleted row. Then its closest remaining ancestor
 * takes the focus, not the whole page, so Tab and screen readers continue from there (WCAG 2.4.3).
 */
export function useFocusFallback(): void {
  useEffect(() => {
    let ancestors: HTMLElement[] = [];
    const remember = ({ target }: FocusEvent): void => {
      ancestors = [];
      for (let one = target as Element | null; one; one = one.parentElement) {
        if (one instanceof HTMLElement) ancestors.push(one);
      }
    };
    /** A click elsewhere leaves the element. The clicked element is remembered if it takes the focus. */
    const forget = (): void => {
      ancestors = [];
    };
    const restoreFocus = (): void => {
      const [lost, ...others] = ancestors;
      if (document.activeElement !== document.body || !lost || lost.isConnected) return;
      ancestors = [];
      // windows over the page give it back themselves, and so do menus
      const isOver = others.some((one) => one.hasAttribute("data-radix-popper-content-wrapper"));
      if (isOver || !others.some(({ id }) => id === "main")) return;
      const next = others.find((one) => one.isConnected);
      if (next && next !== document.body) focusTemporarily(next);
    };
    const observer = new MutationObserver(restoreFocus);
    document.addEventListener("focusin", remember);
    document.addEventListener("pointerdown", forget);
    observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      document.removeEventListener("focusin", remember);
      document.removeEventListener("pointerdown", forget);
      observer.disconnect();
    };
  }, []);
}

/** Can be focused as long as it is. */
function focusTemporarily(element: HTMLElement): void {
  if (!element.hasAttribute("tabindex")) {
    element.tabIndex = -1;
    element.addEventListener("blur", () => element.removeAttribute("tabindex"), { once: true });
  }
  element.focus({ preventScroll: true });
}
