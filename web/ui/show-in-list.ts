/** Scrolls an option's list but not the page, which `scrollIntoView` would scroll too. */
export function scrollOptionIntoList(option: Element | null): void {
  const list = option?.closest("[role=listbox]");
  if (!option || !list) return;
  const [inner, outer] = [option.getBoundingClientRect(), list.getBoundingClientRect()];
  list.scrollTop += Math.min(0, inner.top - outer.top) || Math.max(0, inner.bottom - outer.bottom);
}
