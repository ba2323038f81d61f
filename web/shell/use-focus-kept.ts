import { useEffect } from "react";

/**
 * What has the focus may go while it has it: a button that has done its work, a row that was deleted. Then what stood
 * around it takes the focus, not the page as a whole, and Tab and screen readers go on from there (WCAG 2.4.3).
 */
export function useFocusKept(): void {
  useEffect(() => {
    let around: HTMLElement[] = [];
    const remember = ({ target }: FocusEvent): void => {
      around = [];
      for (let one = target as Element | null; one; one = one.parentElement) {
        if (one instanceof HTMLElement) around.push(one);
      }
    };
    /** Who points elsewhere has left it: what he points at remembers itself, if it takes the focus. */
    const forget = (): void => {
      around = [];
    };
    const keep = (): void => {
      const [gone, ...others] = around;
      if (document.activeElement !== document.body || !gone || gone.isConnected) return;
      around = [];
      // windows over the page give it back themselves, and so do menus
      const isOver = others.some((one) => one.hasAttribute("data-radix-popper-content-wrapper"));
      if (isOver || !others.some(({ id }) => id === "main")) return;
      const next = others.find((one) => one.isConnected);
      if (next && next !== document.body) lend(next);
    };
    const observer = new MutationObserver(keep);
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
function lend(element: HTMLElement): void {
  if (!element.hasAttribute("tabindex")) {
    element.tabIndex = -1;
    element.addEventListener("blur", () => element.removeAttribute("tabindex"), { once: true });
  }
  element.focus({ preventScroll: true });
}
