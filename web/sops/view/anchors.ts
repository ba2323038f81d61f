/** Finds and shows the places that addresses and links name, such as `#user-content-purpose`. */
import { percentDecoded } from "#core/text/percent-decoded.ts";

/** Finds the element that an anchor names. @param hash the anchor as in an address, with `#` */
export function findAnchoredElement(within: ParentNode, hash: string): HTMLElement | undefined {
  const id = percentDecoded(hash.slice(1));
  if (id === "") return undefined;
  const named = [...within.querySelectorAll<HTMLElement>("[id]")];
  // Links in files and from other SOPs name a heading without the prefix that its id has here.
  return named.find((one) => one.id === id) ?? named.find((one) => one.id === `user-content-${id}`);
}

/** Opens the folds that hide an element. */
export function openFoldsAround(element: Element): void {
  for (let fold = element.closest("details"); fold; fold = fold.parentElement?.closest("details") ?? null)
    fold.open = true;
}

export function focusAndScrollTo(target: HTMLElement): void {
  openFoldsAround(target);
  // An element such as a link, which can take the focus already, keeps its place in the Tab order.
  if (target.tabIndex < 0) target.tabIndex = -1;
  target.focus({ preventScroll: true });
  target.scrollIntoView({ block: "start" });
}
