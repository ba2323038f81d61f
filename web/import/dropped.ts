import type { DragEvent } from "react";

/** Files and folders of a drop. Only while the event is handled: afterwards the browser has forgotten them. */
export function entriesOf({ items }: DataTransfer): FileSystemEntry[] {
  return Array.from(items, (item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
}

/** A drag that leaves one part of a place for another is still inside. */
export function isInside({ currentTarget, relatedTarget }: DragEvent): boolean {
  return relatedTarget instanceof Node && currentTarget.contains(relatedTarget);
}
