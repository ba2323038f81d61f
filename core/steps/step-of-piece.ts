/**
 * Finds the step that a piece of a text belongs to. Search calls this for each answer, so only that step is rendered.
 */
import type { List, ListItem, Root, RootContent } from "mdast";
import { toString as textOf } from "mdast-util-to-string";
import { plainText } from "../markdown/plain-text.ts";
import { renderSafeTree } from "../markdown/render.ts";
import { stepListsIn } from "./step-lists.ts";
import { unnumberedStepId } from "./steps-of.ts";
import type { ReadingElement } from "./element.ts";

interface StepPiece {
  step: string | null;
  text: string;
}

/** The maximum length of an item in characters. A longer one would take too long while a user is typing. */
const longestItem = 8 * 1024;

/**
 * Returns the id of the step, as in `stepsOfTree`; null if the piece is no step, or if the text has HTML, which makes
 * the answer uncertain.
 * @param tree the tree of the text
 * @param piece a numbered item whose words occur in no other piece of the text
 */
export function stepIdOfPiece(tree: Root, piece: StepPiece): string | null {
  const [found] = tree.children.flatMap((list) => orderedItemOfPiece(list, piece) ?? []);
  if (found === undefined || sourceLengthOf(found.item) > longestItem) return null;
  const { list, item } = found;
  if (!stepListsIn(tree.children.map(outlineElement)).some(({ node }) => node === list)) return null;
  const definitions = tree.children.filter(({ type }) => type === "definition");
  const shown = { ...list, children: [item] };
  const [rendered] = renderSafeTree({ type: "root", children: [shown, ...definitions] }).tree.children;
  const element = rendered?.type === "element" ? rendered.children.find(({ type }) => type === "element") : undefined;
  return element?.type === "element" && element.children.length > 0 ? unnumberedStepId(element) : null;
}

function orderedItemOfPiece(list: RootContent, { step, text }: StepPiece): { list: List; item: ListItem } | undefined {
  if (list.type !== "list" || list.ordered !== true) return undefined;
  const item = list.children[Number(step) - (list.start ?? 1)];
  return item && plainText(item) === text ? { list, item } : undefined;
}

interface OutlineElement extends ReadingElement<OutlineElement> {
  readonly node: RootContent;
}

/** Wraps a Markdown node as the element that it would be rendered to, so that the rules of steps can read it. */
function outlineElement(node: RootContent): OutlineElement {
  const items = node.type === "list" ? node.children : [];
  const isChecklist = items.some(({ checked }) => typeof checked === "boolean");
  return {
    node,
    id: "",
    tagName: tagNameOfNode(node),
    get textContent() {
      return node.type === "heading" ? textOf(node, { includeImageAlt: false, includeHtml: false }) : "";
    },
    children: items.map(outlineElement),
    getAttribute: (name) => (name === "class" && isChecklist ? "contains-task-list" : null),
  };
}

function tagNameOfNode(node: RootContent): string {
  if (node.type === "heading") return `h${node.depth}`;
  if (node.type === "list") return node.ordered === true ? "ol" : "ul";
  return node.type === "listItem" ? "li" : "hr";
}

function sourceLengthOf({ position }: ListItem): number {
  return (position?.end.offset ?? Infinity) - (position?.start.offset ?? 0);
}
