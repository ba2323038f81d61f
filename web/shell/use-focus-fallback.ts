import { useEffect } from "react";

/**
 * Moves the focus to the closest remaining ancestor if the focused element is removed, such as a deleted row. Tab and
 * screen readers then don't start again at the top of the page (WCAG 2.4.3).
 */
export function useFocusFallback(): void {
  useEffect(() => {
    let ancestors: HTMLElement[] = [];
    const rememberAncestors = ({ target }: FocusEvent): void => {
      ancestors = [];
      for (let one = target as Element | null; one; one = one.parentElement) {
        if (one instanceof HTMLElement) ancestors.push(one);
      }
    };
    /**
     * Forgets the ancestors when the user clicks elsewhere, because then no focus has to be restored. If the clicked
     * element takes the focus, `focusin` stores its ancestors.
     */
    const forgetAncestors = (): void => {
      ancestors = [];
    };
    const restoreFocus = (): void => {
      const [lost, ...others] = ancestors;
      if (document.activeElement !== document.body || !lost || lost.isConnected) return;
      ancestors = [];
      // Dialogs and menus return the focus themselves.
      const isOver = others.some((one) => one.hasAttribute("data-radix-popper-content-wrapper"));
      if (isOver || !others.some(({ id }) => id === "main")) return;
      const next = others.find((one) => one.isConnected);
      if (next && next !== document.body) focusTemporarily(next);
    };
    const observer = new MutationObserver(restoreFocus);
    document.addEventListener("focusin", rememberAncestors);
    document.addEventListener("pointerdown", forgetAncestors);
    observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      document.removeEventListener("focusin", rememberAncestors);
      document.removeEventListener("pointerdown", forgetAncestors);
      observer.disconnect();
    };
  }, []);
}

/** Makes an element focusable until it loses the focus. */
function focusTemporarily(element: HTMLElement): void {
  if (!element.hasAttribute("tabindex")) {
    element.tabIndex = -1;
    element.addEventListener("blur", () => element.removeAttribute("tabindex"), { once: true });
  }
  element.focus({ preventScroll: true });
}
