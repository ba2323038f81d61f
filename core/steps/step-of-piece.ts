/**
 * Finds the step that a piece of a text belongs to. Search calls this for each answer, so only that step is rendered.
 */
import type { ListItem, Root, RootContent } from "mdast";
import { plainText } from "../markdown/plain-text.ts";
import { safeTree } from "../markdown/render.ts";
import { readingSteps } from "./reading-steps.ts";
import { unnumberedStepId } from "./steps-of.ts";
import { treeElements } from "./tree-element.ts";

interface StepPiece {
  step: string | null;
  text: string;
}

/** The maximum length of an item in characters. A longer one would take too long while a user is typing. */
const longestItem = 8 * 1024;

/**
 * The id of the step, as in `stepsOfTree`; null if the piece is no step, or HTML makes that uncertain.
 * @param tree the tree of the text; this function adds titles to its alerts
 * @param piece a numbered item whose words occur in no other piece of the text
 */
export function stepOfPiece(tree: Root, piece: StepPiece): string | null {
  const item = tree.children.map((node) => orderedItemOfPiece(node, piece)).find((one) => one !== undefined);
  if (item === undefined || sourceLengthOf(item) > longestItem) return null;
  const definitions = tree.children.filter(({ type }) => type === "definition");
  const outline = tree.children.map((node) => reducedNode(node, item));
  const { children } = safeTree({ type: "root", children: [...outline, ...definitions] }).tree;
  const { steps } = readingSteps(treeElements(children));
  const step = steps.find(({ number, item: { node } }) => number !== null && node.children.length > 0);
  return step ? unnumberedStepId(step.item.node) : null;
}

function orderedItemOfPiece(node: RootContent, { step, text }: StepPiece): ListItem | undefined {
  if (node.type !== "list" || node.ordered !== true) return undefined;
  const item = node.children[Number(step) - (node.start ?? 1)];
  return item && plainText(item) === text ? item : undefined;
}

/** Reduces a node to what the rules of steps need: only the item in question keeps its content. */
function reducedNode(node: RootContent, shown: ListItem): RootContent {
  if (node.type === "heading" || node.type === "blockquote") return node;
  if (node.type !== "list") return { type: "thematicBreak" };
  const bareItem = (item: ListItem) => ({ ...item, children: [], ...(node.ordered === true && { checked: null }) });
  return { ...node, children: node.children.map((item) => (item === shown ? item : bareItem(item))) };
}

function sourceLengthOf({ position }: ListItem): number {
  return (position?.end.offset ?? Infinity) - (position?.start.offset ?? 0);
}
