import type { Element, ElementContent, Root, Text } from "hast";
import { eachElement, element, isBlankNode, isElement, nodeText } from "#core/markdown/html/elements.ts";
import { leadingCheckbox } from "./boxes.ts";
import { anyParagraphMark, indentMark, stepMark } from "./mark-paragraphs.ts";

interface MarkedStep {
  counter: string;
  level: number;
  number: number;
}

/**
 * Gives numbered lists the numbers that their steps have in Word, from marks in the text of the steps. Removes the
 * marks. A list continues after a paragraph, and an indented paragraph between two steps belongs to the step above.
 */
export function restoreWordNumbers(root: Root): void {
  repairListsIn(root);
  eachElement(root, (node, parent, index) => {
    for (const child of node.children)
      if (child.type === "text") child.value = child.value.replace(anyParagraphMark, "");
    if (node.tagName === "p" && isBlankNode(node)) parent.children.splice(index, 1);
  });
  for (const child of root.children) if (child.type === "text") child.value = child.value.replace(anyParagraphMark, "");
  eachElement(root, (node) => {
    if (node.tagName === "li") convertCheckboxToTask(node);
  });
}

/**
 * Turns an item that begins with a checkbox into a task. @param isOwn true for a file that this program exported, where
 * an item can have further checkboxes
 */
export function convertCheckboxToTask(item: Element, isOwn = false): void {
  const [first] = item.children.filter((child) => !isBlankNode(child));
  const inner = item.children.findIndex((child) => isElement(child, "ol") || isElement(child, "ul"));
  const line =
    first !== undefined && isElement(first, "p")
      ? first.children
      : item.children.slice(0, inner === -1 ? undefined : inner);
  const box = leadingCheckbox(line.map(nodeText).join(""), isOwn);
  const start = box === undefined ? undefined : firstTextOutsideLists(item, ({ value }) => value.trim() !== "");
  if (box === undefined || start === undefined) return;
  start.value = start.value.replace(/^\s*[☐☑☒]\s*/u, "");
  item.properties["className"] = ["task-list-item"];
  const input = element("input", { type: "checkbox", disabled: true, checked: box.checked }, []);
  const place = first !== undefined && isElement(first, "p") ? first : item;
  place.children.unshift(input, { type: "text", value: " " });
}

function repairListsIn(parent: Root | Element): void {
  for (const node of parent.children) if (node.type === "element") repairListsIn(node);
  const children = parent.children as ElementContent[];
  const split = children.flatMap((node) =>
    isElement(node, "ol") || isElement(node, "ul") ? splitWordList(node) : [node],
  );
  parent.children = rejoinContinuedLists(split);
}

/**
 * Splits a list into one list for each run of consecutive numbers. A step that contains only lists is replaced by these
 * lists.
 */
function splitWordList(list: Element): ElementContent[] {
  const out: ElementContent[] = [];
  let current: Element | undefined;
  let last: MarkedStep | undefined;
  for (const item of list.children) {
    if (!isElement(item, "li")) continue;
    const step = list.tagName === "ol" ? listStepOf(item) : undefined;
    if (step === undefined && containsOnlyLists(item)) {
      out.push(...item.children.filter((child) => !isBlankNode(child)));
      current = undefined;
      continue;
    }
    const goesOn =
      current !== undefined &&
      (step === undefined || last === undefined || (step.counter === last.counter && step.number === last.number + 1));
    if (!goesOn || current === undefined) {
      current = { ...list, properties: { ...list.properties }, children: [] };
      if (step !== undefined && step.number !== 1) current.properties["start"] = step.number;
      out.push(current);
    }
    current.children.push(item);
    last = step;
  }
  return out;
}

/**
 * Tells whether an item contains only lists. Mammoth writes such an item when a nested list continues below a
 * paragraph.
 */
function containsOnlyLists(item: Element): boolean {
  const rest = item.children.filter((child) => !isBlankNode(child));
  return rest.length > 0 && rest.every((child) => isElement(child, "ol") || isElement(child, "ul"));
}

/** Joins a continued list, and the indented paragraphs before it, with the list above. */
function rejoinContinuedLists(nodes: readonly ElementContent[]): ElementContent[] {
  const out: ElementContent[] = [];
  for (let index = 0; index < nodes.length; index += 1) {
    const node = nodes[index];
    if (node === undefined) continue;
    const above = out.at(-1);
    let end = index;
    while (end < nodes.length && isIndentedParagraph(nodes[end])) end += 1;
    const below = nodes[end];
    const list =
      above !== undefined && below !== undefined && isElement(below, "ol")
        ? findContinuedList(above, below)
        : undefined;
    if (list === undefined || below?.type !== "element") {
      out.push(node);
      continue;
    }
    (list.children.at(-1) as Element).children.push(...nodes.slice(index, end));
    list.children.push(...below.children);
    index = end;
  }
  return out;
}

function isIndentedParagraph(node: ElementContent | undefined): boolean {
  return node !== undefined && isElement(node, "p") && firstTextOutsideLists(node)?.value.includes(indentMark) === true;
}

/** Finds the list that the list `below` continues: `above`, or a list at the end of the last item of `above`. */
function findContinuedList(above: ElementContent, below: Element): Element | undefined {
  if (!isElement(above, "ol") && !isElement(above, "ul")) return undefined;
  const [last, next] = [above.children.at(-1), below.children[0]];
  if (last === undefined || next === undefined || !isElement(last, "li") || !isElement(next, "li")) return undefined;
  const [one, two] = [listStepOf(last), listStepOf(next)];
  if (
    one !== undefined &&
    two !== undefined &&
    one.counter === two.counter &&
    one.level === two.level &&
    two.number === one.number + 1
  )
    return above;
  const inner = last.children.findLast((child) => isElement(child, "ol") || isElement(child, "ul"));
  return inner === undefined ? undefined : findContinuedList(inner, below);
}

function listStepOf(item: Element): MarkedStep | undefined {
  const text = firstTextOutsideLists(item)?.value ?? "";
  const [, counter = "", level, number] = stepMark.exec(text) ?? [];
  return number === undefined ? undefined : { counter, level: Number(level), number: Number(number) };
}

/** Returns the first text of an element that is not in a nested list. */
function firstTextOutsideLists(node: Element, fits: (text: Text) => boolean = () => true): Text | undefined {
  for (const child of node.children) {
    if (child.type === "text" && fits(child)) return child;
    if (child.type !== "element" || child.tagName === "ol" || child.tagName === "ul") continue;
    const found = firstTextOutsideLists(child, fits);
    if (found !== undefined) return found;
  }
  return undefined;
}
