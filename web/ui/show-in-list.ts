/** Scrolls the list that an option stands in, and nothing around it: `scrollIntoView` would move the page clear of its bars as well. */
export function showInList(option: Element | null): void {
  const list = option?.closest("[role=listbox]");
  if (!option || !list) return;
  const [inner, outer] = [option.getBoundingClientRect(), list.getBoundingClientRect()];
  list.scrollTop += Math.min(0, inner.top - outer.top) || Math.max(0, inner.bottom - outer.bottom);
}
