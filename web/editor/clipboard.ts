/**
 * Pastes plain text. The pasted text keeps all copied words: it is read as Markdown only if it clearly is Markdown and
 * no word would get lost.
 */
import type { Nodes, Root } from "mdast";
import { Fragment, Slice, type Mark, type Node, type Schema } from "@milkdown/kit/prose/model";
import { Plugin, type EditorState } from "@milkdown/kit/prose/state";
import { isInTable, selectedRect } from "@milkdown/kit/prose/tables";
import type { EditorView } from "@milkdown/kit/prose/view";
import { eachNode, parseMarkdown } from "#core/markdown/parse.ts";
import { readEditorDocument, writeDocument } from "./document.ts";

export const clipboardPlugin = (): Plugin =>
  new Plugin({
    props: {
      clipboardTextParser(text, $context, plain, { state: { schema } }) {
        const inCell = $context.node(-1)?.type.spec["tableRole"] !== undefined;
        const document = plain || inCell ? null : readPastedMarkdown(schema, text);
        // Pasting blocks without content inserts nothing, so their marks are pasted as text.
        const isEmpty = document?.textBetween(0, document.content.size, "", "leaf") === "";
        return document && !isEmpty
          ? Slice.maxOpen(document.content)
          : textSlice(schema, text, $context.marks(), inCell);
      },
      clipboardTextSerializer: ({ content }, { state: { schema } }) => {
        let only = content.childCount === 1 ? content.firstChild : null;
        while (only && !only.isText) only = only.childCount === 1 ? only.firstChild : null;
        if (only) return only.text ?? "";
        const document = schema.topNodeType.createAndFill(null, content);
        return document ? writeDocument(document) : "";
      },
      handlePaste: (view, { clipboardData }) => pasteCode(view, clipboardData),
      transformPasted: (slice, { state }) =>
        isInTable(state) ? asCellsOfRows(slice, state) : withOuterListItem(slice),
    },
  });

/**
 * Closes the slice of a pasted line with two list marks, such as `1. - a`. An open slice would join the text at the
 * caret and lose the outer mark.
 */
function withOuterListItem(slice: Slice): Slice {
  const inner = slice.content.firstChild?.firstChild?.firstChild;
  const isBlock = inner && !inner.isInline && !inner.isTextblock && inner.type.spec["tableRole"] === undefined;
  return isBlock && slice.openStart > 0 ? new Slice(slice.content, 0, 0) : slice;
}

/**
 * Converts cells that are pasted over cells. The first row of a table takes only header cells, other rows only normal
 * ones.
 */
function asCellsOfRows({ content, openStart, openEnd }: Slice, state: EditorState): Slice {
  const { table_header: head, table_cell: cell } = state.schema.nodes;
  let row = selectedRect(state).top;
  const cellsOf = (cells: Fragment): Fragment => {
    const type = row === 0 ? head : cell;
    row += 1;
    return Fragment.from(cells.content.map((one) => type?.create(one.attrs, one.content, one.marks) ?? one));
  };
  const cellsAsRows = (nodes: Fragment): Fragment =>
    String(nodes.firstChild?.type.spec["tableRole"]).endsWith("cell")
      ? cellsOf(nodes)
      : Fragment.from(
          nodes.content.map((node) => {
            const { tableRole } = node.type.spec;
            return tableRole === "table" || tableRole === "row" ? node.copy(cellsAsRows(node.content)) : node;
          }),
        );
  return new Slice(cellsAsRows(content), openStart, openEnd);
}

/** Pastes code from Visual Studio Code as a code block in its language. */
function pasteCode(view: EditorView, data: DataTransfer | null): boolean {
  const { selection, schema, tr } = view.state;
  const text = data?.getData("text/plain").replace(/\r\n?/g, "\n") ?? "";
  const from = data?.getData("vscode-editor-data") ?? "";
  if (text === "" || from === "" || selection.$from.parent.type.spec.code) return false;
  const language = (JSON.parse(from) as { mode?: unknown } | null)?.mode;
  const code = schema.nodes["code_block"];
  if (typeof language !== "string" || language === "" || !code) return false;
  view.dispatch(tr.replaceSelectionWith(code.create({ language }, schema.text(text))).scrollIntoView());
  return true;
}

/**
 * Turns plain text into paragraphs, separated by blank lines. Other line ends become line breaks. A table cell gets
 * only one paragraph.
 */
function textSlice(schema: Schema, text: string, marks: readonly Mark[], inCell: boolean): Slice {
  const paragraphs = text
    .replace(/\r\n?/g, "\n")
    .split(inCell ? /\n{2}$/ : /\n(?:[ \t]*\n)+/)
    .map((lines) => schema.node("paragraph", null, nodesOfLines(schema, lines, marks, inCell)));
  return new Slice(Fragment.from(paragraphs), 1, 1);
}

function nodesOfLines(schema: Schema, lines: string, marks: readonly Mark[], inCell: boolean): Node[] {
  return lines
    .split("\n")
    .flatMap((line, index): Node[] => [
      ...(index === 0 ? [] : [schema.node(inCell ? "html_break" : "hardbreak")]),
      ...(line === "" ? [] : [schema.text(line, marks)]),
    ]);
}

/** Parses a pasted text as Markdown. @returns null if the text isn't Markdown */
function readPastedMarkdown(schema: Schema, text: string): Node | null {
  const markdown = text.replace(/\r\n?/g, "\n");
  try {
    const root = parseMarkdown(markdown);
    return isMarkdownText(root, markdown) ? readEditorDocument(schema, markdown) : null;
  } catch {
    // The text is nested too deeply to be parsed.
    return null;
  }
}

/**
 * Says whether a text is Markdown: at least two lines begin a block, such as an item or a heading, and every word is
 * shown.
 */
function isMarkdownText(root: Root, markdown: string): boolean {
  let marks = 0;
  let isText = false;
  eachNode(root, (node) => {
    const source = sourceOfNode(node, markdown);
    if (node.type === "listItem" || node.type === "tableRow") marks += 1;
    if (node.type === "heading" && source.startsWith("#")) marks += 1;
    if (node.type === "code") marks += 2;
    // Indented text is rarely code, and `> 80` or `+ 200` are numbers.
    if ((node.type === "code" && !/^(?:`{3}|~{3})/.test(source)) || /^[>+][ \t]*\d/.test(source)) isText = true;
  });
  return (
    marks > 1 && !isText && wordsInText(visibleTextOfNode(root, markdown)).join(" ") === wordsInText(markdown).join(" ")
  );
}

const wordsInText = (text: string): string[] => text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
const sourceOfNode = ({ position }: Nodes, markdown: string): string =>
  markdown.slice(position?.start.offset ?? 0, position?.end.offset ?? 0);

/** Returns the words that the editor would show, in order, with addresses, numbers and labels. Marks separate words. */
function visibleTextOfNode(node: Nodes, markdown: string): string {
  const parts = "children" in node ? node.children.map((child) => visibleTextOfNode(child, markdown)) : [];
  const inside = parts.join(" ");
  switch (node.type) {
    case "text":
    case "inlineCode":
      return node.value;
    case "code":
      return `${node.lang ?? ""} ${node.meta ?? ""} ${node.value}`;
    case "html":
      return /^<\/?(br|kbd|sub|sup)[ \t]*\/?>$/i.exec(node.value)?.[1] ?? "";
    case "list":
      return parts.map((item, index) => (node.ordered ? `${(node.start ?? 1) + index} ${item}` : item)).join(" ");
    case "listItem":
      return node.checked ? `x ${inside}` : inside;
    case "link":
      // A bare address is also its own text.
      return sourceOfNode(node, markdown).startsWith("[") ? `${inside} ${node.url} ${node.title ?? ""}` : inside;
    case "image":
      return `${node.alt ?? ""} ${node.url} ${node.title ?? ""}`;
    case "definition":
      return `${node.label ?? node.identifier} ${node.url} ${node.title ?? ""}`;
    case "imageReference":
    case "linkReference":
      return `${"alt" in node ? node.alt : inside} ${node.referenceType === "full" ? node.label : ""}`;
    case "footnoteReference":
      return node.label ?? node.identifier;
    case "footnoteDefinition":
      return `${node.label ?? node.identifier} ${inside}`;
    default:
      return inside;
  }
}
