import { preloadAlertDialog } from "./AlertDialog.tsx";
import { preloadDialog } from "./Dialog.tsx";
import { preloadSheet } from "./Sheet.tsx";
import { preloadToasts } from "./Toast.tsx";

/** What loads when it is first needed is here before that: a message about a lost connection can't be fetched any more. */
const parts = [preloadToasts, preloadAlertDialog, preloadDialog, preloadSheet];

const afterMs = 2_000;

/** Once the screen is there. @returns stop */
export function preloadOverlays(): () => void {
  const timer = setTimeout(() => {
    for (const part of parts) void part();
  }, afterMs);
  return () => clearTimeout(timer);
}
