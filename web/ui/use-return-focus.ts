import { useState } from "react";

export interface ReturnFocus {
  onCloseAutoFocus(event: Event): void;
}

/**
 * Returns the focused element, and the innermost region around it with `tabIndex={-1}` that can take the focus instead.
 */
function focusedElements(): HTMLElement[] {
  const opener = document.activeElement;
  if (!(opener instanceof HTMLElement) || opener === document.body) return [];
  const region = opener.parentElement?.closest<HTMLElement>('[tabindex="-1"]');
  return region ? [opener, region] : [opener];
}

/**
 * Returns the focus when a dialog without a trigger closes: to the element that had it, or to the region around that
 * element if the dialog deleted it. Radix returns the focus only to a trigger.
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
