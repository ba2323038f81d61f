/** The steps of a version: what links, ticks, search and exports address. */
import type { Element, Nodes, Root } from "hast";
import { toString as textOf } from "mdast-util-to-string";
import { rendered } from "../markdown/render.ts";
import { idPrefix } from "../markdown/sanitise-schema.ts";
import { shortHash } from "../text/short-hash.ts";
import { readingSteps } from "./reading-steps.ts";
import { treeElements } from "./tree-element.ts";

export interface Step {
  /**
   * Made of its own words and pictures, so that it stays when its number, another step or a heading changes. Of equal
   * steps, the second ends with `-2`.
   */
  id: string;
  /** As its list shows it; null in a check list. */
  number: number | null;
  /** The nearest heading above. */
  readonly section: string | null;
  /** Its id in the rendered text. */
  sectionId: string | null;
  /** Its element in the tree. */
  item: Element;
  /** Without marks, one line. Lists, tables and warnings within the step are part of it. */
  readonly text: string;
  /** The words of all warnings that apply, from the top of the text down. */
  readonly warnings: readonly string[];
  /** The words beside each of its check boxes. */
  readonly checks: readonly string[];
}

/** @param tree of a text, from `rendered` */
export function stepsOf(tree: Root): Step[] {
  const counts = new Map<string, number>();
  return readingSteps(treeElements(tree.children)).steps.map(({ number, section, item, ...step }) => {
    const first = firstId(item.node);
    const count = (counts.get(first) ?? 0) + 1;
    counts.set(first, count);
    return {
      id: count === 1 ? first : `${first}-${count}`,
      number,
      sectionId: section && section.id,
      item: item.node,
      // views ask for none of these, and long ones would be copied for each step
      get section() {
        return section && line(section.node);
      },
      get text() {
        return line(item.node);
      },
      get warnings() {
        const above = step.under.flatMap((one) => one.above);
        return [...above, ...step.warnings].map(({ node }) => line(node));
      },
      get checks() {
        return checksIn(item.node);
      },
    };
  });
}

/** The id that a step's element has in the rendered text: no heading's has a dot. */
export const stepAnchor = (id: string): string => `${idPrefix}step.${id}`;

/** As `renderHtml`, with an id on each step. */
export function renderSop(markdown: string): string {
  return rendered(markdown, nameSteps).html;
}

/** Gives each step of a tree its id. */
export function nameSteps(tree: Root): void {
  for (const { id, item } of stepsOf(tree)) item.properties["id"] = stepAnchor(id);
}

/** The id of an item that is the first of its words. */
export const firstId = (item: Element): string => shortHash(oneLine(said(item)).normalize("NFC"));

/** Words and pictures. The number of a footnote depends on the notes before it. */
function said(node: Nodes): string {
  if (node.type === "text") return node.value;
  if (node.type !== "element" || node.properties["dataFootnoteRef"] !== undefined) return "";
  if (node.tagName === "img") return ` ${String(node.properties["src"])} ${String(node.properties["alt"])} `;
  return node.children.map(said).join("");
}

const oneLine = (text: string) => text.replace(/\s+/g, " ").trim();
const line = (node: Element) => oneLine(textOf(node));

function checksIn(item: Element): string[] {
  const isList = ({ tagName }: Element) => tagName === "ol" || tagName === "ul";
  const inner = item.children.filter((node) => node.type === "element");
  const own = [item.properties["className"]].flat().includes("task-list-item")
    ? [oneLine(item.children.map((node) => (node.type === "element" && isList(node) ? "" : textOf(node))).join(""))]
    : [];
  return [...own, ...inner.flatMap(checksIn)];
}
