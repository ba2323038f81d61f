import { useState } from "react";

/** Radix gives the focus back to its own trigger alone; dialogs that are opened by state give it to whoever had it. */
export function useReturnFocus(open: boolean): { onCloseAutoFocus(event: Event): void } {
  const [last, setLast] = useState(() => ({ open, opener: open ? document.activeElement : null }));
  if (last.open !== open) setLast({ open, opener: open ? document.activeElement : last.opener });
  return {
    onCloseAutoFocus: (event) => {
      const { opener } = last;
      if (!(opener instanceof HTMLElement) || opener === document.body || !opener.isConnected) return;
      event.preventDefault();
      opener.focus();
    },
  };
}
