import type { MouseEvent } from "react";

/**
 * For `onClickCapture` around buttons that change places. The second click of a double click was meant for the button
 * that was there before, so it is ignored.
 */
export function ignoreSecondClick(event: MouseEvent): void {
  if (event.detail > 1 && (event.target as Element).closest("button")) event.stopPropagation();
}
