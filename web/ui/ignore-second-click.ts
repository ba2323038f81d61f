import type { MouseEvent } from "react";

/**
 * Ignores the second click of a double click, which was meant for a button that is no longer in that position. Use it
 * as `onClickCapture` around buttons that move when clicked.
 */
export function ignoreSecondClick(event: MouseEvent): void {
  if (event.detail > 1 && (event.target as Element).closest("button")) event.stopPropagation();
}
