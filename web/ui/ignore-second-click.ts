import type { MouseEvent } from "react";

/**
 * For `onClickCapture` around buttons that change places: the second click of a double click meant the button that was
 * there before.
 */
export function ignoreSecondClick(event: MouseEvent): void {
  if (event.detail > 1 && (event.target as Element).closest("button")) event.stopPropagation();
}
