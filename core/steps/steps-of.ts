/** Finds the steps of a version, with the ids by which links, ticks, search and exports refer to them. */
import type { Element, Nodes, Root } from "hast";
import { toString as textOf } from "mdast-util-to-string";
import { renderWithTree } from "../markdown/render.ts";
import { idPrefix } from "../markdown/sanitise-schema.ts";
import { shortHash } from "../text/short-hash.ts";
import { readingSteps } from "./reading-steps.ts";
import { stepListsIn } from "./step-lists.ts";
import { treeElements } from "./tree-element.ts";

export interface SopStep {
  /**
   * An id made of the step's own words and images, so that it stays when the number, another step or a heading changes.
   * Among equal steps, the second id ends with `-2`.
   */
  id: string;
  /** The number as the step's list shows it; null in a checklist. */
  number: number | null;
  /** The words of the nearest heading above; null without a heading. */
  readonly section: string | null;
  /** The id of the nearest heading above, in the rendered text; null without a heading. */
  sectionId: string | null;
  /** The step's element in the tree. */
  item: Element;
  /** The text without markup, on one line. Lists, tables and warnings within the step are part of it. */
  readonly text: string;
  /** The words of all warnings that apply to the step, in the order of the text. */
  readonly warnings: readonly string[];
  /** The words beside each checkbox of the step. */
  readonly checks: readonly string[];
}

/** @param tree the tree of a text, from `rendered` */
export function stepsOfTree(tree: Root): SopStep[] {
  const idOf = createStepIdMaker();
  return readingSteps(treeElements(tree.children)).steps.map(({ number, section, item, ...step }) => ({
    id: idOf(item.node),
    number,
    sectionId: section && section.id,
    item: item.node,
    // getters, because most callers don't read these values, and computing them for each step would be slow
    get section() {
      return section && lineOfElement(section.node);
    },
    get text() {
      return lineOfElement(item.node);
    },
    get warnings() {
      const above = step.under.flatMap((one) => one.above);
      return [...above, ...step.warnings].map(({ node }) => lineOfElement(node));
    },
    get checks() {
      return checkTextsIn(item.node);
    },
  }));
}

/** Gives each item its id, in the order of the text. */
function createStepIdMaker(): (item: Element) => string {
  const counts = new Map<string, number>();
  return (item) => {
    const first = unnumberedStepId(item);
    const count = (counts.get(first) ?? 0) + 1;
    counts.set(first, count);
    return count === 1 ? first : `${first}-${count}`;
  };
}

/** The id of a step's element in the rendered text. It contains a dot, so no heading has it. */
export const stepAnchor = (id: string): string => `${idPrefix}step.${id}`;

/** Renders like `renderHtml`, with an id on each step. */
export function renderSop(markdown: string): string {
  return renderWithTree(markdown, setStepIds).html;
}

/** Sets the ids of the steps in a tree. */
export function setStepIds(tree: Root): void {
  const items = stepListsIn(treeElements(tree.children)).flatMap(({ children }) => Array.from(children));
  const idOf = createStepIdMaker();
  for (const { node } of items) node.properties["id"] = stepAnchor(idOf(node));
}

/** Returns the id of a step without the number that an equal later step gets (`-2`). */
export const unnumberedStepId = (item: Element): string => shortHash(oneLine(wordsAndImagesOf(item)).normalize("NFC"));

/** Returns the words and images of a node, without footnote numbers, which depend on earlier footnotes. */
function wordsAndImagesOf(node: Nodes): string {
  if (node.type === "text") return node.value;
  if (node.type !== "element" || node.properties["dataFootnoteRef"] !== undefined) return "";
  if (node.tagName === "img") return ` ${String(node.properties["src"])} ${String(node.properties["alt"])} `;
  return node.children.map(wordsAndImagesOf).join("");
}

const oneLine = (text: string) => text.replace(/\s+/g, " ").trim();
const lineOfElement = (node: Element) => oneLine(textOf(node));

function checkTextsIn(item: Element): string[] {
  const isList = ({ tagName }: Element) => tagName === "ol" || tagName === "ul";
  const inner = item.children.filter((node) => node.type === "element");
  const own = [item.properties["className"]].flat().includes("task-list-item")
    ? [oneLine(item.children.map((node) => (node.type === "element" && isList(node) ? "" : textOf(node))).join(""))]
    : [];
  return [...own, ...inner.flatMap(checkTextsIn)];
}
