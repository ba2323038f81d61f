/**
 * Restores lists, boxes, quotes and code in Word files that this program exported, from the marks that `own-marks.ts`
 * added.
 */
import type { Element, ElementContent, Root, Text } from "hast";
import { languageOfBookmarkCode } from "#core/export/docx/groups.ts";
import { alertGrades, isAlertKind, type AlertKind } from "#core/markdown/alert-grades.ts";
import { eachElement, element, hasClass, isBlankNode, isElement, nodeText } from "#core/markdown/html/elements.ts";
import { anyOwnMark, groupMark, itemMark, ruleMark } from "./own-marks.ts";
import { convertCheckboxToTask } from "./repair-lists.ts";

/**
 * Style rules for mammoth, only for files that this program exported. In other files, these styles have another
 * meaning.
 */
export const ownStyles = [
  "p[style-name='Quote'] => p:fresh",
  "p[style-name='Rule'] => p:fresh",
  "p[style-name='Alert Title'] => p.sop-alert-title:fresh",
  "p[style-name='caption'] => p.sop-caption:fresh",
  "p[style-name='Caption'] => p.sop-caption:fresh",
  "r[style-name='Keyboard'] => kbd",
];

export function rebuildOwnBlocks(root: Root): void {
  rebuildGroupsIn(root);
  eachElement(root, (node, parent, index) => {
    for (const child of node.children) if (child.type === "text") child.value = child.value.replace(anyOwnMark, "");
    if (node.tagName === "p" && isBlankNode(node)) parent.children.splice(index, 1);
    if (node.tagName === "li") convertCheckboxToTask(node, true);
  });
}

function rebuildGroupsIn(parent: Root | Element): void {
  for (const node of parent.children) if (node.type === "element") rebuildGroupsIn(node);
  const nodes = parent.children as ElementContent[];
  if (!nodes.some((node) => node.type === "element")) return;
  parent.children = withCaptions(createGroupReader(nodes).read()) as typeof parent.children;
}

interface OpenOwnList {
  element: Element;
  id: string;
  level: number;
  last: number;
}

function createGroupReader(nodes: readonly ElementContent[]) {
  let at = 0;

  /** Reads the nodes up to the end of the group. */
  function readGroup(): ElementContent[] {
    const out: ElementContent[] = [];
    let lists: OpenOwnList[] = [];
    while (at < nodes.length) {
      const node = nodes[at] as ElementContent;
      at += 1;
      const group = isElement(node, "p") ? groupMark.exec(nodeText(node))?.[1] : undefined;
      if (group === "") return out;
      if (group !== undefined) {
        const inside = readGroup();
        const item = lists.at(-1)?.element.children.at(-1);
        if (group === "in" && item?.type === "element") addBlocksToItem(item, withCaptions(inside));
        else {
          lists = [];
          out.push(...blocksOfGroup(group, withCaptions(inside)));
        }
        continue;
      }
      const isLine = node.type === "element" && /^(?:p|pre|h[1-6])$/.test(node.tagName);
      const mark = isLine ? itemMark.exec(firstTextNode(node)?.value ?? "") : null;
      if (mark !== null && isLine) lists = addOwnListItem(node, mark, lists, out);
      else {
        if (!isBlankNode(node)) lists = [];
        out.push(isLine && nodeText(node).includes(ruleMark) ? element("hr", {}, []) : node);
      }
    }
    return out;
  }

  return { read: readGroup };
}

/**
 * Adds blocks to a list item. Before an image with a caption, the item's first line becomes a paragraph, because the
 * image would join it.
 */
function addBlocksToItem(item: Element, blocks: readonly ElementContent[]): void {
  const [first] = blocks.filter((node) => !isBlankNode(node));
  const isAbove =
    first !== undefined && isElement(first, "figure") && item.children.some((child) => !isBlankNode(child));
  item.children = [...(isAbove ? [element("p", {}, item.children)] : item.children), ...blocks];
}

function addOwnListItem(
  node: Element,
  [, id = "", deep = "0", number = "*"]: RegExpExecArray,
  before: readonly OpenOwnList[],
  out: ElementContent[],
): OpenOwnList[] {
  const level = Number(deep);
  const lists = before.filter((list) => list.level <= level);
  const isOrdered = number !== "*";
  const current = lists.at(-1);
  const item = element("li", {}, isElement(node, "p") ? node.children : [node]);
  const goesOn =
    current?.level === level &&
    (isOrdered ? current.id === id && current.last + 1 === Number(number) : current.element.tagName === "ul");
  if (current !== undefined && goesOn) {
    current.element.children.push(item);
    current.last += 1;
    return lists;
  }
  const above = current?.level === level ? lists.slice(0, -1) : lists;
  const start = isOrdered && number !== "1" ? { start: Number(number) } : {};
  const list = element(isOrdered ? "ol" : "ul", start, [item]);
  const host = above.at(-1)?.element.children.at(-1);
  if (host?.type === "element") host.children.push(list);
  else out.push(list);
  return [...above, { element: list, id, level, last: isOrdered ? Number(number) : 0 }];
}

function blocksOfGroup(group: string, inside: ElementContent[]): ElementContent[] {
  const [, name = "", value = ""] = /^([a-z]+)(?:_(\w*))?$/.exec(group) ?? [];
  const blocks = inside.filter((node) => !isBlankNode(node) || isElement(node, "hr"));
  switch (name) {
    case "quote":
      return [element("blockquote", {}, blocks)];
    case "alert":
      return isAlertKind(value) ? [alertElementOf(value, blocks)] : blocks;
    case "details":
      return [element("details", {}, blocks)];
    case "summary": {
      const [title, ...rest] = blocks;
      if (title === undefined || !isElement(title, "p")) return [element("details", {}, blocks)];
      return [element("details", {}, [element("summary", {}, withoutBoldInSummary(title)), ...rest])];
    }
    case "code":
      return blocks.map((node) => (isElement(node, "pre") ? codeElementOf(node, languageOfBookmarkCode(value)) : node));
    default:
      return blocks;
  }
}

/** Returns an alert with the blocks. The usual title of the alert's kind is left out; a title in other words stays. */
function alertElementOf(kind: AlertKind, blocks: readonly ElementContent[]): Element {
  const { letter, title } = alertGrades[kind];
  // older versions exported titles without a sign before the word
  const usual = [title.toUpperCase(), `${letter} ${title.toUpperCase()}`];
  const inside = blocks.filter(
    (node) => !(isElement(node, "p") && hasClass(node, "sop-alert-title") && usual.includes(nodeText(node).trim())),
  );
  return element("div", { className: ["alert", `alert-${kind}`] }, inside);
}

/** Returns the content of a summary without bold marks, because summaries are always shown in bold. */
function withoutBoldInSummary({ children }: Element): ElementContent[] {
  return children.flatMap((node) => (isElement(node, "strong") ? node.children : [node]));
}

function codeElementOf(node: Element, lang: string): Element {
  const className = lang === "" ? {} : { className: [`language-${lang}`] };
  return element("pre", {}, [element("code", className, node.children)]);
}

/** Returns the nodes with figures: a caption paragraph becomes the caption of the image above it. */
function withCaptions(nodes: ElementContent[]): ElementContent[] {
  const out: ElementContent[] = [];
  for (const node of nodes) {
    const above = out.at(-1);
    const image =
      above !== undefined && isElement(above, "p") ? above.children.filter((child) => !isBlankNode(child)) : [];
    const [only] = image;
    const isCaption = isElement(node, "p") && hasClass(node, "sop-caption");
    if (isCaption && image.length === 1 && only !== undefined && isElement(only, "img")) {
      out.splice(-1, 1, element("figure", {}, [only, element("figcaption", {}, node.children)]));
    } else out.push(node);
  }
  return out;
}

function firstTextNode(node: Element): Text | undefined {
  for (const child of node.children) {
    if (child.type === "text") return child;
    const found = child.type === "element" ? firstTextNode(child) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}
