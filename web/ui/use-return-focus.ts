import { useState } from "react";

export interface ReturnFocus {
  onCloseAutoFocus(event: Event): void;
}

/** The focused element, and the innermost region around it with `tabIndex={-1}` that can take the focus instead. */
function focusedElements(): HTMLElement[] {
  const opener = document.activeElement;
  if (!(opener instanceof HTMLElement) || opener === document.body) return [];
  const region = opener.parentElement?.closest<HTMLElement>('[tabindex="-1"]');
  return region ? [opener, region] : [opener];
}

/**
 * Radix returns the focus only to its own trigger. This also returns it for dialogs opened by state: to the element
 * that had it, or to the region of a removed one (a row that the dialog deleted).
 */
export function useReturnFocus(open: boolean): ReturnFocus {
  const [last, setLast] = useState(() => ({ open, before: open ? focusedElements() : [] }));
  if (last.open !== open) setLast({ open, before: open ? focusedElements() : last.before });
  return {
    onCloseAutoFocus: (event) => {
      const next = last.before.find((element) => element.isConnected);
      if (!next) return;
      event.preventDefault();
      // If the opener is gone, the page doesn't scroll to its region, because the user is reading elsewhere.
      next.focus({ preventScroll: next !== last.before[0] });
    },
  };
}
