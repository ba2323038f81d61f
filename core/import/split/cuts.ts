import type { Heading, Nodes, Root } from "mdast";
import { headingText } from "#core/import/markdown/titles.ts";
import { eachNode } from "#core/markdown/parse.ts";

export interface SplitHeadings {
  /** The highest level that occurs more than once. */
  level: number;
  /** The headings that begin the parts, in the order of the text. */
  headings: Heading[];
}

/**
 * Finds the headings at which a text is split: those of the highest level that occurs more than once, and higher ones
 * after the first of them. Headings in quotes, lists and HTML elements don't count.
 *
 * @returns undefined if no level occurs twice
 */
export function findSplitHeadings(tree: Root): SplitHeadings | undefined {
  const elements = elementRanges(tree);
  const headings = tree.children.filter(
    (node): node is Heading =>
      node.type === "heading" &&
      partTitleOf(node) !== "" &&
      !elements.some((range) => isOffsetInRange(range, startOffsetOf(node))),
  );
  const levels = [1, 2, 3, 4, 5, 6];
  const level = levels.find((depth) => headings.filter((heading) => heading.depth === depth).length > 1);
  if (level === undefined) return undefined;
  const first = headings.findIndex(({ depth }) => depth === level);
  return { level, headings: headings.slice(first).filter(({ depth }) => depth <= level) };
}

export function partTitleOf(heading: Heading): string {
  return headingText(heading).replace(attributes, "").normalize("NFC");
}

/** Matches `{#id}` and `{: .class}` at the end of a heading. */
const attributes = /\s*\{:?\s*[#.][^{}]*\}$/;

export type OffsetRange = readonly [start: number, end: number];

export function isOffsetInRange([start, end]: OffsetRange, at: number): boolean {
  return at >= start && at < end;
}

/** Returns the offset at which a node begins. */
export function startOffsetOf(node: Nodes): number {
  return node.position?.start.offset ?? 0;
}

export function endOffsetOf(node: Nodes): number {
  return node.position?.end.offset ?? 0;
}

const htmlTag = /<(\/?)([a-z][a-z0-9-]*)\b[^<>]*?(\/?)>/gi;

/**
 * Returns the ranges of HTML elements, from the opening to the closing tag. Elements without a closing tag are left
 * out.
 */
function elementRanges(tree: Root): OffsetRange[] {
  const open: { name: string; at: number }[] = [];
  const found: OffsetRange[] = [];
  eachNode(tree, (node) => {
    if (node.type !== "html") return;
    for (const [, closing, tag = "", empty] of node.value.replace(/<!--[^]*?(?:-->|$)/g, "").matchAll(htmlTag)) {
      const name = tag.toLowerCase();
      if (closing === "" && empty === "") open.push({ name, at: startOffsetOf(node) });
      const last = closing === "/" ? open.findLastIndex((element) => element.name === name) : -1;
      const [element] = last === -1 ? [] : open.splice(last);
      if (element !== undefined) found.push([element.at, endOffsetOf(node)]);
    }
  });
  return found;
}
