/** Scrolls only the list of an option: `scrollIntoView` would scroll the page as well. */
export function showInList(option: Element | null): void {
  const list = option?.closest("[role=listbox]");
  if (!option || !list) return;
  const [inner, outer] = [option.getBoundingClientRect(), list.getBoundingClientRect()];
  list.scrollTop += Math.min(0, inner.top - outer.top) || Math.max(0, inner.bottom - outer.bottom);
}
