import type { Element, ElementContent, Root, RootContent } from "hast";

export interface Footnote {
  id: string;
  /** The `li` element of the footnote. */
  element: Element;
  number: number;
}

/** The footnotes of rendered HTML. PDF and Word files move them to the foot of a page. */
export interface FootnoteReader {
  /** The element with the footnotes at the end of the text; undefined without footnotes. */
  section: Element | undefined;
  /** Returns the footnote to which a reference leads. */
  namedBy(sup: Element): Footnote | undefined;
  /**
   * Returns the footnotes for which `shown` returns false, so that no text of a footnote without a recognized reference
   * is lost.
   */
  unread(shown: (id: string) => boolean): Footnote[];
}

/**
 * Finds the footnotes of a tree, and removes their links back to the text from the tree. Only an exact match of the
 * renderer's output counts, so that raw HTML can't imitate footnotes and hide words from a PDF.
 */
export function createFootnoteReader(tree: Root): FootnoteReader {
  removeBackLinks(tree);
  const last = tree.children.findLast((node) => node.type === "element" || isNonBlankText(node));
  const isSection = last?.type === "element" && "dataFootnotes" in last.properties;
  const items = isSection ? footnoteItemsOf(last) : null;
  const notes = new Map<string, Footnote>();
  for (const [index, element] of (items ?? []).entries()) {
    const { id } = element.properties;
    if (typeof id === "string") notes.set(id, { id, element, number: index + 1 });
  }
  // footnotes with equal ids come from raw HTML, not from the renderer
  const isRegular = items !== null && notes.size === items.length;
  if (!isRegular) notes.clear();

  return {
    section: isSection && isRegular ? last : undefined,
    namedBy(sup) {
      const [anchor, ...others] = sup.children;
      if (anchor?.type !== "element" || others.length > 0 || !("dataFootnoteRef" in anchor.properties))
        return undefined;
      const note = notes.get(String(anchor.properties["href"] ?? "").slice(1));
      return note !== undefined && elementText(anchor) === String(note.number) ? note : undefined;
    },
    unread: (shown) => [...notes.values()].filter(({ id }) => !shown(id)),
  };
}

/** Returns the footnotes of a section; null if the section also contains anything else. */
function footnoteItemsOf({ children }: Element): Element[] | null {
  const [label, list, ...others] = children.filter((node) => node.type === "element" || isNonBlankText(node));
  if (label?.type !== "element" || label.properties["id"] !== "footnote-label" || others.length > 0) return null;
  if (list?.type !== "element" || list.tagName !== "ol") return null;
  const items = list.children.filter((node) => node.type === "element");
  const isWhole = items.every(({ tagName }) => tagName === "li") && !list.children.some(isNonBlankText);
  return isWhole ? items : null;
}

function isNonBlankText(node: RootContent): boolean {
  return node.type === "text" && node.value.trim() !== "";
}

function removeBackLinks(tree: Root): void {
  const marks = new Map<string, number>();
  for (const { properties } of descendantsOf(tree)) {
    const href = String(properties["href"] ?? "");
    if ("dataFootnoteRef" in properties) marks.set(href, (marks.get(href) ?? 0) + 1);
  }
  // the first back link has no number; further ones have the number of their reference
  const isArrow = (node: Element): boolean => {
    if (!("dataFootnoteBackref" in node.properties)) return false;
    const [, number] = /^↩(\d{0,4})$/.exec(elementText(node)) ?? [];
    const [, name] = /^#user-content-fnref-(.+?)(?:-\d+)?$/.exec(String(node.properties["href"] ?? "")) ?? [];
    return number === "" || Number(number) <= (marks.get(`#user-content-fn-${name}`) ?? 0);
  };
  for (const parent of [tree, ...descendantsOf(tree)]) {
    parent.children = parent.children.filter((node) => node.type !== "element" || !isArrow(node)) as ElementContent[];
  }
}

function* descendantsOf(parent: Root | Element): Generator<Element> {
  for (const child of parent.children) {
    if (child.type !== "element") continue;
    yield child;
    yield* descendantsOf(child);
  }
}

/** Returns the text of an element and everything inside it. */
export function elementText(node: Element): string {
  return node.children
    .map((child) => (child.type === "text" ? child.value : child.type === "element" ? elementText(child) : ""))
    .join("");
}
