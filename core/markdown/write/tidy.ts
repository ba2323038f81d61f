import type { BlockContent, Nodes, Paragraph, PhrasingContent, Root, RootContent } from "mdast";
import { unknownNode } from "./unknown.ts";

/** Adds a message for the author about content that Markdown can't represent. */
export type ReportLoss = (message: string) => void;

/**
 * Gives a tree from another source a form that Markdown can represent, with the same words: no empty emphasis, no space
 * or break at the edges of emphasis, no break in a heading below level 2, `<br>` in cells, no blocks within lines, and
 * no lines outside of paragraphs. Unchanged nodes are the same objects.
 */
export function makeRepresentable(root: Root, note: ReportLoss): Root {
  return tidyNode(root, note);
}

function tidyNode<T extends Nodes>(node: T, note: ReportLoss): T {
  if (!("children" in node)) return node;
  const children: Nodes[] = node.children;
  const made = children.map((child) => tidyNode(child, note));
  const shaped = flow.has(node.type)
    ? wrapLinesInParagraphs(made, note)
    : lines.has(node.type)
      ? asLinesOfText(node, made, note)
      : made;
  const isSame = shaped.length === children.length && shaped.every((child, index) => child === children[index]);
  return isSame ? node : ({ ...node, children: shaped } as T);
}

const setOfTypes = (names: string): ReadonlySet<string> => new Set(names.split(" "));
const flow = setOfTypes("root blockquote listItem footnoteDefinition");
const lines = setOfTypes("paragraph heading tableCell emphasis strong delete link linkReference");
const emphasised = setOfTypes("emphasis strong delete");
const phrasing = setOfTypes(
  "text emphasis strong delete inlineCode html break image imageReference link linkReference footnoteReference",
);
const blocks = setOfTypes(
  "paragraph heading thematicBreak blockquote list listItem table tableRow tableCell code definition footnoteDefinition yaml root html",
);

/** Puts lines of text between blocks into paragraphs. */
function wrapLinesInParagraphs(nodes: readonly Nodes[], note: ReportLoss): Nodes[] {
  const out: Nodes[] = [];
  let open: Paragraph | undefined;
  for (const node of nodes.flatMap((one) => asKnownNodes(one, note))) {
    if (blocks.has(node.type)) {
      open = undefined;
      out.push(node);
    } else {
      if (open === undefined) out.push((open = { type: "paragraph", children: [] }));
      open.children.push(node as PhrasingContent);
    }
  }
  return out;
}

/** Replaces a node of an unknown kind by its words. */
function asKnownNodes(node: Nodes, note: ReportLoss): Nodes[] {
  if (phrasing.has(node.type) || blocks.has(node.type)) return [node];
  const { type, children, value } = node as { type: string; children?: Nodes[]; value?: unknown };
  unknownNode.found(type);
  note(`"${type}" has no form in Markdown: its words stay as text`);
  if (children) return children.flatMap((child) => asKnownNodes(child, note));
  return typeof value === "string" && value !== "" ? [{ type: "text", value }] : [];
}

function asLinesOfText(node: Nodes, given: readonly Nodes[], note: ReportLoss): Nodes[] {
  const parts = given.flatMap((child) => asKnownNodes(child, note));
  const words = parts.every(({ type }) => phrasing.has(type)) ? (parts as PhrasingContent[]) : withoutBlocks(parts);
  const hoisted = joinNeighborMarks(words.flatMap(hoistEdgeSpaces));
  if (node.type === "tableCell") return hoisted.map((child) => replaceByLineBreakTag(child));
  if (node.type === "heading" && node.depth > 2) return hoisted.map((child) => replaceBySpace(child));
  // a break at the end of a block would be read as a backslash
  if (node.type === "paragraph" || node.type === "heading") while (hoisted.at(-1)?.type === "break") hoisted.pop();
  return hoisted;
}

/** Turns blocks into lines of text, separated by breaks. */
function withoutBlocks(nodes: readonly Nodes[]): PhrasingContent[] {
  const out: PhrasingContent[] = [];
  const addBreak = () => {
    if (out.length > 0 && out.at(-1)?.type !== "break") out.push({ type: "break" });
  };
  for (const node of nodes) {
    if (phrasing.has(node.type)) out.push(node as PhrasingContent);
    else if (node.type === "code") {
      for (const line of node.value.split("\n")) {
        addBreak();
        if (line !== "") out.push({ type: "inlineCode", value: line });
      }
      out.push({ type: "break" });
    } else if ("children" in node) {
      addBreak();
      out.push(...withoutBlocks(node.children as BlockContent[]), { type: "break" });
    }
  }
  while (out.at(-1)?.type === "break") out.pop();
  return out;
}

/**
 * Moves spaces at the edges of a mark out of it, because marks don't work beside a space:
 * `<b>Warning: </b>hot` → `**Warning:** hot`. Removes an empty mark.
 */
function hoistEdgeSpaces(node: PhrasingContent): PhrasingContent[] {
  const isLink = node.type === "link" || node.type === "linkReference";
  if (!("children" in node) || !(isLink || emphasised.has(node.type))) return [node];
  const inside: PhrasingContent[] = [...node.children];
  const [before, after]: [PhrasingContent[], PhrasingContent[]] = [[], []];
  for (let first = inside[0]; first !== undefined; first = inside[0]) {
    const space = splitEdgeSpace(first, /^\s+/, isLink);
    if (space === undefined) break;
    before.push(space.out);
    inside.splice(0, 1, ...space.left);
  }
  for (let last = inside.at(-1); last !== undefined; last = inside.at(-1)) {
    const space = splitEdgeSpace(last, /\s+$/, isLink);
    if (space === undefined) break;
    after.unshift(space.out);
    inside.splice(-1, 1, ...space.left);
  }
  if (inside.length === 0 && isLink) return [node];
  if (before.length + after.length === 0 && inside.length > 0) return [node];
  const kept = inside.length === 0 ? [] : [{ ...node, children: inside } as PhrasingContent];
  return [...before, ...kept, ...after];
}

/** Splits a node at the edge of a mark: `out` is the space or break, `left` the node without it. */
function splitEdgeSpace(
  node: PhrasingContent,
  space: RegExp,
  isLink: boolean,
): { out: PhrasingContent; left: PhrasingContent[] } | undefined {
  if (node.type === "break") return { out: node, left: [] };
  if (node.type !== "text" || isLink) return undefined;
  const [found] = space.exec(node.value) ?? [];
  if (found === undefined) return node.value === "" ? { out: node, left: [] } : undefined;
  const value = space.source.startsWith("^")
    ? node.value.slice(found.length)
    : node.value.slice(0, node.value.length - found.length);
  return { out: { type: "text", value: found }, left: value === "" ? [] : [{ ...node, value }] };
}

/** Joins neighboring marks of one kind: `<b>a</b><b>b</b>` becomes `**ab**`. */
function joinNeighborMarks(nodes: readonly PhrasingContent[]): PhrasingContent[] {
  const out: PhrasingContent[] = [];
  for (const node of nodes) {
    const last = out.at(-1);
    if (
      last !== undefined &&
      emphasised.has(node.type) &&
      last.type === node.type &&
      "children" in last &&
      "children" in node
    ) {
      out[out.length - 1] = {
        ...last,
        children: joinNeighborMarks([...last.children, ...node.children]),
      } as PhrasingContent;
    } else out.push(node);
  }
  return out;
}

function replaceByLineBreakTag<T extends RootContent>(node: T): RootContent {
  return withLineEndsReplaced(node, { type: "html", value: "<br>" });
}

function replaceBySpace<T extends RootContent>(node: T): RootContent {
  return withLineEndsReplaced(node, { type: "text", value: " " });
}

function withLineEndsReplaced(node: RootContent, instead: RootContent): RootContent {
  if (node.type === "break") return instead;
  if (node.type === "text" && node.value.includes("\n")) return { ...node, value: node.value.replaceAll("\n", " ") };
  if (!("children" in node) || node.children.length === 0) return node;
  const children: RootContent[] = node.children;
  const made = children.map((child) => withLineEndsReplaced(child, instead));
  return made.every((child, index) => child === children[index]) ? node : ({ ...node, children: made } as RootContent);
}
