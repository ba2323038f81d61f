/**
 * Converts a syntax tree to the editor's document. A node that the schema lacks becomes Markdown source, as a block or
 * inline.
 */
import type {
  Blockquote,
  BlockContent,
  DefinitionContent,
  List,
  ListItem,
  Nodes,
  PhrasingContent,
  RootContent,
  Table,
  TableRow,
} from "mdast";
import type { Mark, Node, Schema } from "@milkdown/kit/prose/model";
import { alertContentOf, alertKindOf } from "#core/markdown/alerts.ts";
import { isBareLink } from "#core/markdown/write/autolink.ts";
import { rememberBareLinks, rememberNesting } from "./mark-order.ts";

export interface MdastReader {
  schema: Schema;
  /** Returns the source of a node, to the byte. */
  sourceOf(node: Nodes): string;
  /** True if `<kbd>`, `<sub>` and `<sup>` become marks; otherwise they stay tags in the text. */
  tags: boolean;
}

type MdastBlock = RootContent | BlockContent | DefinitionContent;

/**
 * The trees that blocks and rows were read from. Editor nodes are immutable, so a node that is still in here is
 * unchanged.
 */
export const origins = new WeakMap<Node, RootContent | TableRow>();

function readEditorBlocks(reader: MdastReader, blocks: readonly MdastBlock[]): Node[] {
  return blocks.map((block) => readEditorBlock(reader, block));
}

/**
 * Converts a block of the syntax tree to a node of the editor.
 * @throws RangeError when the schema refuses the content; the caller then keeps the block as source
 */
export function readEditorBlock(reader: MdastReader, block: MdastBlock): Node {
  const node = editorNodeOfBlock(reader, block);
  origins.set(node, block);
  return node;
}

function editorNodeOfBlock(reader: MdastReader, block: MdastBlock): Node {
  const { schema } = reader;
  switch (block.type) {
    case "paragraph":
      return createNode(schema, "paragraph", null, readInline(reader, block.children));
    case "heading":
      return createNode(schema, "heading", { level: block.depth }, readInline(reader, block.children));
    case "thematicBreak":
      return createNode(schema, "hr", null, []);
    case "code":
      return createNode(
        schema,
        "code_block",
        { language: block.lang ?? "", meta: block.meta ?? null },
        block.value === "" ? [] : [schema.text(block.value)],
      );
    case "blockquote":
      return readEditorQuote(reader, block);
    case "list":
      return readEditorList(reader, block);
    case "table":
      return readEditorTable(reader, block);
    case "footnoteDefinition":
      return createNode(
        schema,
        "footnote_definition",
        { label: block.label ?? block.identifier },
        readEditorBlocks(reader, block.children),
      );
    case "html":
      // CommonMark reads a break alone on a line as a block, but readers see an empty line.
      return lineBreak.test(block.value)
        ? createNode(schema, "paragraph", null, [createLeafNode(schema, "html_break", { value: block.value }, [])])
        : createNode(schema, "html_block", { value: block.value }, []);
    default:
      return createSourceBlock(schema, reader.sourceOf(block));
  }
}

/** Creates a block of Markdown source, so that nothing the editor doesn't understand gets lost. */
export function createSourceBlock(schema: Schema, source: string): Node {
  return createNode(schema, "source_block", null, source === "" ? [] : [schema.text(source)]);
}

function createNode(
  schema: Schema,
  name: string,
  attrs: Record<string, unknown> | null,
  content: readonly Node[],
): Node {
  const type = schema.nodes[name];
  if (!type) throw new RangeError(`no node ${name}`);
  return type.createChecked(attrs, content);
}

function readEditorQuote(reader: MdastReader, quote: Blockquote): Node {
  const kind = alertKindOf(quote);
  const [first] = quote.children;
  if (!kind || first?.type !== "paragraph") {
    return createNode(reader.schema, "blockquote", null, readEditorBlocks(reader, quote.children));
  }
  const [lead, next] = first.children;
  const { blocks, hasTitle } = alertContentOf(quote);
  const [mark = "", ...below] = lead?.type === "text" ? lead.value.split("\n") : [];
  if (blocks.length === 0 || (below.length === 0 && next?.type === "break")) {
    throw new RangeError("an alert without text");
  }
  const marker = hasTitle ? null : mark;
  const apart = blocks.length < quote.children.length;
  return createNode(reader.schema, "alert", { kind, marker, apart }, readEditorBlocks(reader, blocks));
}

function readEditorList(reader: MdastReader, list: List): Node {
  const items = list.children.map((item) => readEditorListItem(reader, item));
  const spread = list.spread ?? false;
  return list.ordered === true
    ? createNode(reader.schema, "ordered_list", { order: list.start ?? 1, spread }, items)
    : createNode(reader.schema, "bullet_list", { spread }, items);
}

function readEditorListItem(reader: MdastReader, item: ListItem): Node {
  const blocks = readEditorBlocks(reader, item.children);
  const content = blocks.length > 0 ? blocks : [createNode(reader.schema, "paragraph", null, [])];
  return createNode(
    reader.schema,
    "list_item",
    { spread: item.spread ?? false, checked: item.checked ?? null },
    content,
  );
}

/**
 * Reads a table with rows of equal length. Short rows get empty cells, and cells beyond the header get a column in
 * which they are visible.
 */
function readEditorTable(reader: MdastReader, table: Table): Node {
  const { schema } = reader;
  const width = tableColumnCount(table);
  const rows = table.children.map((row, rowIndex) => {
    const head = rowIndex === 0;
    const cells = Array.from({ length: width }, (_, index) =>
      createNode(schema, head ? "table_header" : "table_cell", { alignment: table.align?.[index] ?? null }, [
        createNode(schema, "paragraph", null, readInline(reader, row.children[index]?.children ?? [])),
      ]),
    );
    const node = createNode(schema, head ? "table_header_row" : "table_row", null, cells);
    // The header decides how many columns readers see, so a header with added cells counts as changed.
    if (!head || row.children.length === width) origins.set(node, row);
    return node;
  });
  return createNode(schema, "table", null, rows);
}

/** Counts the columns: those of the header, or of a longer row up to its last cell with content. */
export function tableColumnCount({ children: [head, ...rows] }: Table): number {
  const filled = rows.map(({ children }) => 1 + children.findLastIndex((cell) => cell.children.length > 0));
  return Math.max(head?.children.length ?? 0, ...filled);
}

function readInline(reader: MdastReader, nodes: readonly PhrasingContent[], marks: readonly Mark[] = []): Node[] {
  const read: Node[] = [];
  for (let at = 0; at < nodes.length; at += 1) {
    const node = nodes[at];
    if (!node) break;
    const name = reader.tags && node.type === "html" ? tagName(node.value) : null;
    const end = name === null ? -1 : nodes.findIndex((other, index) => index > at && isClosingTag(other, name));
    if (name === null || end < 0) {
      read.push(...readPhrase(reader, node, marks));
      continue;
    }
    read.push(...readMarked(reader, nodes.slice(at + 1, end), marks, "html_tag", { name }));
    at = end;
  }
  return read;
}

/** Matches a `<br>` tag. */
export const lineBreak = /^<br\s*\/?>$/i;
const tagName = (html: string): string | null => /^<(kbd|sub|sup)>$/.exec(html)?.[1] ?? null;
const isClosingTag = (node: PhrasingContent, name: string): boolean =>
  node.type === "html" && node.value === `</${name}>`;

function readPhrase(reader: MdastReader, node: PhrasingContent, marks: readonly Mark[]): Node[] {
  const { schema } = reader;
  switch (node.type) {
    case "text":
      return readTextNodes(schema, node.value, marks);
    case "emphasis":
      return readMarked(reader, node.children, marks, "emphasis");
    case "strong":
      return readMarked(reader, node.children, marks, "strong");
    case "delete":
      return readMarked(reader, node.children, marks, "strike_through");
    case "link": {
      const read = readMarked(reader, node.children, marks, "link", { href: node.url, title: node.title ?? null });
      if (isBareLink(node)) read.forEach(rememberBareLinks);
      return read;
    }
    case "inlineCode":
      return node.value === "" ? [] : [schema.text(node.value, createMark(schema, "inlineCode").addToSet(marks))];
    case "break":
      return [createLeafNode(schema, "hardbreak", { isInline: false }, marks)];
    case "html":
      return lineBreak.test(node.value)
        ? [createLeafNode(schema, "html_break", { value: node.value }, marks)]
        : [createLeafNode(schema, "html", { value: node.value }, marks)];
    case "image":
      return [createLeafNode(schema, "image", { src: node.url, alt: node.alt ?? "", title: node.title ?? "" }, marks)];
    case "footnoteReference":
      return [createLeafNode(schema, "footnote_reference", { label: node.label ?? node.identifier }, marks)];
    default:
      return [createLeafNode(schema, "source_inline", { value: reader.sourceOf(node) }, marks)];
  }
}

/** A soft break is a line end in the source and a space for readers, so it is kept as a node of its own. */
function readTextNodes(schema: Schema, value: string, marks: readonly Mark[]): Node[] {
  return value.split("\n").flatMap((line, index) => {
    const text = line === "" ? [] : [schema.text(line, marks)];
    return index === 0 ? text : [createLeafNode(schema, "hardbreak", { isInline: true }, marks), ...text];
  });
}

function readMarked(
  reader: MdastReader,
  children: readonly PhrasingContent[],
  marks: readonly Mark[],
  name: string,
  attrs: Record<string, unknown> | null = null,
): Node[] {
  const read = readInline(reader, children, createMark(reader.schema, name, attrs).addToSet(marks));
  for (const node of read) rememberNesting(node, name);
  return read;
}

function createMark(schema: Schema, name: string, attrs: Record<string, unknown> | null = null): Mark {
  const type = schema.marks[name];
  if (!type) throw new RangeError(`no mark ${name}`);
  return type.create(attrs);
}

function createLeafNode(schema: Schema, name: string, attrs: Record<string, unknown>, marks: readonly Mark[]): Node {
  const type = schema.nodes[name];
  if (!type) throw new RangeError(`no node ${name}`);
  return type.create(attrs, null, marks);
}
