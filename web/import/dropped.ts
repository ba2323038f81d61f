import { useState, type DragEvent } from "react";

/** Returns the files and folders of a drop. The browser provides them only while the drop event is handled. */
function droppedEntries({ items }: DataTransfer): FileSystemEntry[] {
  return Array.from(items, (item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
}

/** Says whether a drag event only moves between parts of the same area. */
function isDragWithinArea({ currentTarget, relatedTarget }: DragEvent): boolean {
  return relatedTarget instanceof Node && currentTarget.contains(relatedTarget);
}

/** An area that takes dropped files and folders. @returns its handlers, and whether something is dragged over it */
export function useDropArea(onEntries: (entries: readonly FileSystemEntry[]) => void) {
  const [isOver, setOver] = useState(false);
  const setDraggedOver = (event: DragEvent, now: boolean) => {
    event.preventDefault();
    setOver(now);
  };
  const area = {
    onDragOver: (event: DragEvent) => setDraggedOver(event, true),
    onDragLeave: (event: DragEvent) => setDraggedOver(event, isDragWithinArea(event)),
    onDrop: (event: DragEvent) => {
      setDraggedOver(event, false);
      onEntries(droppedEntries(event.dataTransfer));
    },
  };
  return { isOver, area };
}
