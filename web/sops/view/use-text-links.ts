import type { MouseEvent } from "react";
import { useLocation, useNavigate } from "react-router-dom";
import { findAnchoredElement, focusAndScrollTo } from "./anchors.ts";

/** Returns the dialog around a text, if any. The anchor in the address then belongs to the page behind the dialog. */
export const dialogAround = (text: Element): Element | null => text.closest("[role=dialog]");

/**
 * Follows links of the text that was clicked. Links to other screens don't reload the application. In a dialog, links
 * to places of the page lead to the dialog's own places, and the address stays.
 */
export function useTextLinks(): (event: MouseEvent<HTMLElement>) => void {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  return (event) => {
    const link = (event.target as Element).closest("a");
    const href = link?.getAttribute("href") ?? "";
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (!link || !isPlain) return;
    const dialog = dialogAround(event.currentTarget);
    if (dialog && (href.startsWith("#") || href.split(/[?#]/, 1)[0] === pathname)) {
      event.preventDefault();
      const target = findAnchoredElement(event.currentTarget, link.hash) ?? findAnchoredElement(dialog, link.hash);
      if (target) focusAndScrollTo(target);
      return;
    }
    if (!href.startsWith("/") || href.startsWith("/api/")) return;
    event.preventDefault();
    void navigate(href);
  };
}
