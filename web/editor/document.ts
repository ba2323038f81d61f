/**
 * Converts Markdown to the editor's document and back. An unchanged block is written from the same tree that it was
 * read from. A block that can't be written back exactly never becomes rich text: it stays a block of Markdown source.
 */
import type { Nodes, PhrasingContent, Root, RootContent, Table } from "mdast";
import type { Node, Schema } from "@milkdown/kit/prose/model";
import { alertContentOf, alertKindOf } from "#core/markdown/alerts.ts";
import { formatEdited, formatMarkdown, normaliseText, sameTree, writeTree } from "#core/markdown/format.ts";
import { parseMarkdown } from "#core/markdown/parse.ts";
import {
  lineBreak,
  origins,
  readEditorBlock,
  createSourceBlock,
  tableColumnCount,
  type MdastReader,
} from "./from-mdast.ts";
import { defaultNesting } from "./mark-order.ts";
import { parseForPositions, takeParsedTree } from "./parse-ahead.ts";
import { alertMarker, contentWithMarker, writeEditorBlock } from "./to-mdast.ts";

/** The source text of each top-level block as it was read. */
const sourceTexts = new WeakMap<Node, string>();

/** Reads a Markdown text as the editor's document. @throws AppError when the text can't be parsed at all */
export function readEditorDocument(schema: Schema, markdown: string): Node {
  const root = takeParsedTree(markdown);
  const reader: MdastReader = { schema, tags: true, sourceOf: (node) => unnestedSourceOf(markdown, node) };
  const blocks = root.children.map((block) => {
    const source = sourceTextOf(markdown, block);
    const node = readLosslessly(reader, block) ?? createSourceBlock(schema, source);
    origins.set(node, block);
    sourceTexts.set(node, source.trimEnd());
    return node;
  });
  return schema.topNodeType.createChecked(null, blocks.length > 0 ? blocks : schema.nodes["paragraph"]?.create());
}

/**
 * Writes the document in canonical form for saving.
 * @param withEmptyItems whether to include empty items at the end of edited lists
 */
export function writeDocument(doc: Node, withEmptyItems = false): string {
  const tree = markdownTreeOf(doc, withEmptyItems ? undefined : withoutEmptyLastItems);
  return formatMarkdown(writeTree(tree));
}

/** Returns the block, or its original text if writing the block wouldn't give that text. */
function originOrSource(origin: RootContent, own = ""): RootContent {
  const isCanonical = own === "" || writeTree({ type: "root", children: [origin] }).trimEnd() === own;
  return isCanonical ? origin : { type: "html", value: own };
}

/** Returns an edited block; as source with backslashes if the block would otherwise be read as something else. */
function withNeededEscapes(block: RootContent): RootContent {
  const root: Root = { type: "root", children: [block] };
  if (block.type === "html" || sameTree(parseMarkdown(writeTree(root)), root)) return block;
  const careful = formatEdited(root);
  return careful === undefined ? block : { type: "html", value: careful.trimEnd() };
}

const unchangedOriginOf = (node: Node) => origins.get(node);

/** Returns the document as a syntax tree. @param edited changes the tree of each block that isn't as it was read */
function markdownTreeOf(doc: Node, edited = (block: RootContent) => block): Root {
  const children: RootContent[] = [];
  doc.forEach((block) => {
    const written = writeEditorBlock(block, unchangedOriginOf);
    if (!origins.has(block)) children.push(...written.map(edited).map(withNeededEscapes));
    else children.push(...written.map((origin) => originOrSource(origin, sourceTexts.get(block))));
  });
  return { type: "root", children };
}

/** Removes an empty item at the end of each list, because it is no step yet. A list with only empty items stays. */
function withoutEmptyLastItems<T extends Nodes>(node: T): T {
  if (!("children" in node)) return node;
  const children: Nodes[] = node.children.map((child: Nodes) => withoutEmptyLastItems(child));
  const last = children.findLastIndex((child) => child.type !== "listItem" || child.children.length > 0);
  return { ...node, children: last < 0 ? children : children.slice(0, last + 1) };
}

/**
 * Says whether saving the unedited document gives the text as it would be stored. If not, the text is edited as source.
 */
export function isLossless(doc: Node, markdown: string): boolean {
  try {
    // If the tree alone gives the same text, it needs no second parse. This is true for nearly every text saved here.
    if (writeTree(markdownTreeOf(doc)) === markdown) return true;
    const written = writeDocument(doc);
    return written === formatMarkdown(markdown) || formatWithSplitLists(written) === formatWithSplitLists(markdown);
  } catch {
    return false;
  }
}

/** Formats a text as it is stored: a jump in the numbers begins a new list. */
function formatWithSplitLists(markdown: string): string | undefined {
  const text = normaliseText(markdown);
  return formatEdited(parseForPositions(text), text);
}

/** Reads a block if writing it gives the same tree; otherwise returns null. */
function readLosslessly(reader: MdastReader, block: RootContent): Node | null {
  for (const tags of [true, false]) {
    try {
      const node = readEditorBlock({ ...reader, tags }, block);
      const again = asEditorTree(reader, { type: "root", children: writeEditorBlock(node) });
      if (sameTree(again, asEditorTree(reader, { type: "root", children: [block] }))) return node;
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
  }
  return null;
}

/**
 * Returns the Markdown of a node. Later lines of its source include marks of the lists and quotes around it, so a node
 * with several lines is written anew.
 */
function unnestedSourceOf(markdown: string, node: Nodes): string {
  const source = sourceTextOf(markdown, node);
  return source.includes("\n") ? writeTree({ type: "root", children: [node as RootContent] }).trimEnd() : source;
}

function sourceTextOf(markdown: string, node: Nodes): string {
  return markdown.slice(node.position?.start.offset ?? 0, node.position?.end.offset ?? 0);
}

const ranks: Partial<Record<PhrasingContent["type"], number>> = {
  emphasis: defaultNesting.indexOf("emphasis"),
  strong: defaultNesting.indexOf("strong"),
  delete: defaultNesting.indexOf("strike_through"),
  link: defaultNesting.indexOf("link"),
};

/**
 * Converts a tree to what the editor can represent, for comparisons. The editor's marks have no order, so `**[a](b)**`
 * becomes `[**a**](b)`. Inline source stays source.
 */
function asEditorTree<T extends Nodes>(reader: MdastReader, node: T): Nodes {
  if (node.type === "linkReference" || node.type === "imageReference") {
    return { type: "html", value: reader.sourceOf(node) };
  }
  // A break alone on a line is an HTML block in Markdown, and a paragraph with a break in the editor.
  if (node.type === "paragraph" && node.children.length === 1 && node.children[0]?.type === "html") {
    const { value } = node.children[0];
    if (lineBreak.test(value)) return { type: "html", value };
  }
  if (node.type === "table") return asEditorTable(reader, node);
  const kind = node.type === "blockquote" ? alertKindOf(node) : undefined;
  if (node.type === "blockquote" && kind !== undefined) {
    const { blocks, hasTitle } = alertContentOf(node);
    // The editor writes words beside an alert's marker on the line below.
    if (hasTitle)
      return asEditorTree(reader, { ...node, children: contentWithMarker(alertMarker(kind), blocks, false) });
  }
  if (!("children" in node)) return node;
  const children = node.children.map((child) => asEditorTree(reader, child));
  const [only] = children;
  const outer = ranks[node.type as PhrasingContent["type"]];
  const inner = only && ranks[only.type as PhrasingContent["type"]];
  if (
    children.length === 1 &&
    only &&
    "children" in only &&
    outer !== undefined &&
    inner !== undefined &&
    inner < outer
  ) {
    return asEditorTree(reader, { ...only, children: [{ ...node, children: only.children }] } as Nodes);
  }
  return { ...node, children } as Nodes;
}

function asEditorTable(reader: MdastReader, table: Table): Table {
  const columns = Array.from({ length: tableColumnCount(table) }, (_, index) => index);
  return {
    ...table,
    align: columns.map((index) => table.align?.[index] ?? null),
    children: table.children.map((row) => ({
      ...row,
      children: columns.map((index) => {
        const cell = row.children[index] ?? { type: "tableCell", children: [] };
        return { ...cell, children: cell.children.map((child) => asEditorTree(reader, child) as PhrasingContent) };
      }),
    })),
  };
}
