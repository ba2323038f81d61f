import { useState } from "react";

export interface ReturnFocus {
  onCloseAutoFocus(event: Event): void;
}

/** Who has the focus, and the region around it that may take it: the innermost `tabIndex={-1}`. */
function whoHasFocus(): HTMLElement[] {
  const opener = document.activeElement;
  if (!(opener instanceof HTMLElement) || opener === document.body) return [];
  const region = opener.parentElement?.closest<HTMLElement>('[tabindex="-1"]');
  return region ? [opener, region] : [opener];
}

/**
 * Radix gives the focus back to its own trigger only. Dialogs opened by state return it to the element that had it, or
 * to the region of a removed one (a row that the dialog deleted).
 */
export function useReturnFocus(open: boolean): ReturnFocus {
  const [last, setLast] = useState(() => ({ open, before: open ? whoHasFocus() : [] }));
  if (last.open !== open) setLast({ open, before: open ? whoHasFocus() : last.before });
  return {
    onCloseAutoFocus: (event) => {
      const next = last.before.find((element) => element.isConnected);
      if (!next) return;
      event.preventDefault();
      // the answer may have taken the opener away: what stays is not scrolled to, the user is reading elsewhere
      next.focus({ preventScroll: next !== last.before[0] });
    },
  };
}
