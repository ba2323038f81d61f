/** Splits rendered HTML into the parts that a diff compares: blocks, and runs of text between them. */
import type { Element, ElementContent, Nodes, Root, RootContent, Text } from "hast";
import { parseHtml, writeHtml } from "../markdown/html-tree.ts";

/** A block element, or the text in one. */
export interface DiffPart {
  nodes: ElementContent[];
  /** The kind of part. Only parts of the same kind are compared as two versions. */
  family: string;
  /** The key is equal for parts that look the same. */
  key: string;
  text: string;
}

const inlineTags = new Set("a em strong s code br sub sup kbd input img".split(" "));
/** Elements that occur only once in their parent, so that the old and the new one always belong together. */
const singletonTags = new Set("thead tbody tfoot caption summary".split(" "));

/**
 * Parses HTML and removes ids and local links, because the page may also show the text itself, and ids must be unique
 * in a page.
 */
export function parseRendered(html: string): Root {
  const root = parseHtml(html);
  simplifyElements(root);
  return root;
}

function simplifyElements(node: Nodes): void {
  if (node.type === "element") tidyElement(node);
  if ("children" in node) for (const child of node.children) simplifyElements(child);
}

function tidyElement(element: Element): void {
  const { id: _id, ariaLabel: _label, ariaDescribedBy: _by, ...rest } = element.properties;
  const { dataFootnoteRef: _ref, dataFootnoteBackref: _back, dataFootnotes: _notes, ...properties } = rest;
  if (typeof properties["href"] === "string" && properties["href"].startsWith("#")) delete properties["href"];
  element.properties = properties;
  // write text that the author struck out as `s`, because `del` marks changes of the diff
  if (element.tagName === "del") element.tagName = "s";
}

/** Splits an element into its blocks and the inline text between them. An element without blocks is one inline text. */
export function diffPartsOf(parent: Root | Element): DiffPart[] {
  const children: ElementContent[] = (parent.children as readonly RootContent[]).filter(isElementOrText);
  const hasBlocks = parent.type === "root" || children.some((child) => !isInlineNode(child));
  const parts: DiffPart[] = [];
  let run: ElementContent[] = [];
  const endRun = (): void => {
    if (run.some((node) => !isBlankText(node)) || (!hasBlocks && run.length > 0)) parts.push(textRunPartOf(run));
    run = [];
  };
  for (const child of children) {
    if (isInlineNode(child)) run.push(child);
    else {
      endRun();
      parts.push(blockPartOf(child as Element));
    }
  }
  endRun();
  return parts;
}

function textRunPartOf(nodes: ElementContent[]): DiffPart {
  return diffPartOf(nodes, "run");
}

export function blockPartOf(element: Element, family: string = element.tagName): DiffPart {
  return diffPartOf([element], family);
}

function diffPartOf(nodes: ElementContent[], family: string): DiffPart {
  const html = writeHtml(nodes);
  return { nodes, family, key: `${family}\u0000${html}`, text: nodes.map(nodeText).join("") };
}

function nodeText(node: Nodes): string {
  if (node.type === "text") return node.value;
  return "children" in node ? node.children.map(nodeText).join("") : "";
}

function isElementOrText(node: RootContent): node is Element | Text {
  return node.type === "element" || node.type === "text";
}

export function isInlineNode(node: ElementContent): boolean {
  if (node.type !== "element") return true;
  return inlineTags.has(node.tagName) && node.children.every(isInlineNode);
}

function isBlankText(node: ElementContent): boolean {
  return node.type === "text" && node.value.trim() === "";
}

/** Returns the element of a block; null for inline text. */
export function blockElementOf({ nodes, family }: DiffPart): Element | null {
  const [node] = nodes;
  return family !== "run" && node?.type === "element" ? node : null;
}

/** Returns the share of words that two parts have in common, 0 to 1; 0 for parts of different kinds. */
export function wordSimilarity(a: DiffPart, b: DiffPart): number {
  if (a.family !== b.family) return 0;
  if (a.family === "run" || singletonTags.has(a.family)) return 1;
  const [bag, other] = [wordCountsOf(a), wordCountsOf(b)];
  let [shared, total] = [0, 0];
  for (const [word, count] of bag) shared += Math.min(count, other.get(word) ?? 0);
  for (const count of [...bag.values(), ...other.values()]) total += count;
  return total === 0 ? 1 : (2 * shared) / total;
}

const bags = new WeakMap<DiffPart, Map<string, number>>();

function wordCountsOf(part: DiffPart): Map<string, number> {
  const known = bags.get(part);
  if (known) return known;
  const bag = new Map<string, number>();
  for (const token of part.text.toLowerCase().match(wordPattern) ?? []) {
    if (hasLetterOrDigit(token)) bag.set(token, (bag.get(token) ?? 0) + 1);
  }
  bags.set(part, bag);
  return bag;
}

/**
 * Matches tokens: words including punctuation inside them ("2.5", "08:00", "don't"), single characters of scripts
 * without spaces, spaces, and any other single character.
 */
export const wordPattern =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]\p{M}*|[\p{L}\p{N}_](?:[.,:'’-]?[\p{L}\p{N}\p{M}_])*|\s+|[^]/gu;

/** Tells whether a token is a word, not a space or punctuation. */
export function hasLetterOrDigit(token: string): boolean {
  return /[\p{L}\p{N}]/u.test(token);
}
