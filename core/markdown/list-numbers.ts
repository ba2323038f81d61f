/** Keeps the numbers of a list as its author wrote them. Markdown itself only keeps the first number. */
import type { List, Nodes, Parents, Root, RootContent } from "mdast";
import { eachNode } from "./each-node.ts";

declare module "mdast" {
  interface ListData {
    /** The written number of each item. The writer uses these instead of counting up from `start`. */
    numbers?: readonly string[];
  }
}

/** Two neighboring items whose numbers don't count up by one. */
export interface NumberJump {
  /** The line number of the second item, from 1. */
  line: number;
  from: number;
  to: number;
}

/**
 * The numbers of an ordered list as written in `source`. Undefined for bullets, for equal numbers (which Markdown
 * counts up), and for a list from another source.
 */
export function writtenNumbers(list: List, source: string): string[] | undefined {
  if (list.ordered !== true) return undefined;
  const numbers: string[] = [];
  for (const { position } of list.children) {
    const at = position?.start.offset;
    const [, digits] = (at === undefined ? null : /^(\d{1,9})[.)]/.exec(source.slice(at, at + 10))) ?? [];
    if (digits === undefined) return undefined;
    numbers.push(digits);
  }
  const [first] = numbers;
  if (first === undefined || Number(first) !== (list.start ?? 1)) return undefined;
  return numbers.length > 1 && numbers.every((digits) => Number(digits) === Number(first)) ? undefined : numbers;
}

/** Makes the writer keep the numbers of `source`. It only changes the `data` of lists. */
export function recordWrittenNumbers(tree: Root, source: string): void {
  eachNode(tree, (node) => {
    if (node.type !== "list") return;
    const numbers = writtenNumbers(node, source);
    if (numbers !== undefined) node.data = { ...node.data, numbers };
  });
}

/** The jumps in the numbers of an ordered list: the index of the second item, and both numbers. */
export function numberJumpsIn(list: List, source: string): { index: number; from: number; to: number }[] {
  const numbers = (writtenNumbers(list, source) ?? []).map(Number);
  return numbers.flatMap((to, index) => {
    const from = numbers[index - 1];
    return from === undefined || to === from + 1 ? [] : [{ index, from, to }];
  });
}

/**
 * Splits lists where their numbers don't count up by one, because Markdown would show 5 for a 7 that follows a 4.
 * Changes the tree. Items, their content and their levels stay as they are.
 *
 * @returns each place where a new list begins, in the order of the text
 */
export function splitListsAtNumberJumps(tree: Root, source: string): NumberJump[] {
  const jumps: NumberJump[] = [];
  const splitListsIn = (parent: Nodes): void => {
    if (!("children" in parent)) return;
    (parent as Parents).children = parent.children.flatMap((node): RootContent[] =>
      node.type === "list" ? splitAtNumberJumps(node, source, jumps) : [node],
    );
    for (const child of parent.children) splitListsIn(child);
  };
  splitListsIn(tree);
  return jumps.toSorted((one, other) => one.line - other.line);
}

function splitAtNumberJumps(list: List, source: string, jumps: NumberJump[]): List[] {
  const found = numberJumpsIn(list, source);
  if (found.length === 0) return [list];
  const starts = [{ index: 0, to: list.start ?? 1 }, ...found];
  for (const { index, from, to } of found)
    jumps.push({ line: list.children[index]?.position?.start.line ?? 1, from, to });
  return starts.map(({ index, to }, at) => {
    const children = list.children.slice(index, starts[at + 1]?.index);
    const [start, end] = [children[0]?.position?.start, children.at(-1)?.position?.end];
    return {
      ...list,
      start: to,
      // a list with one item has no blank line between its items
      spread: list.spread === true && children.length > 1,
      children,
      ...(start && end && { position: { start, end } }),
    };
  });
}
