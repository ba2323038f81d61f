/** Files and folders of a drop. Only while the event is handled: afterwards the browser has forgotten them. */
export function entriesOf({ items }: DataTransfer): FileSystemEntry[] {
  return Array.from(items, (item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
}
