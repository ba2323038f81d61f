import type { DragEvent } from "react";

/** The files and folders of a drop. The browser provides them only while the event is handled. */
export function entriesOf({ items }: DataTransfer): FileSystemEntry[] {
  return Array.from(items, (item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
}

/** Says whether a drag event only moves between parts of the same area. */
export function isInside({ currentTarget, relatedTarget }: DragEvent): boolean {
  return relatedTarget instanceof Node && currentTarget.contains(relatedTarget);
}
