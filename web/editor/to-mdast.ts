/** Converts the editor's document to a syntax tree. The code in core then writes the Markdown. */
import type {
  BlockContent,
  Heading,
  ListItem,
  Paragraph,
  PhrasingContent,
  RootContent,
  TableCell,
  TableRow,
} from "mdast";
import type { Fragment, Node } from "@milkdown/kit/prose/model";
import { isAlertKind, type AlertKind } from "#core/markdown/alert-grades.ts";
import { writeEditorInline } from "./inline-to-mdast.ts";

/** Returns the tree that an unchanged block or row was read from; undefined for a changed one. */
type FindOrigin = (node: Node) => RootContent | TableRow | undefined;

/**
 * Converts a block of the editor to the syntax tree.
 * @param unchanged returns the original tree of blocks and rows that are written as they were read; by default all are
 * written anew
 */
export function writeEditorBlock(node: Node, unchanged: FindOrigin = () => undefined): RootContent[] {
  const origin = unchanged(node);
  if (origin && origin.type !== "tableRow") return [origin];
  switch (node.type.name) {
    case "paragraph": {
      const children = inlineContentOf(node);
      return children.length === 0 ? [] : [{ type: "paragraph", children }];
    }
    case "heading":
      return [writeEditorHeading(node)];
    case "hr":
      return [{ type: "thematicBreak" }];
    case "code_block":
      return [
        {
          type: "code",
          lang: nonEmptyTextOr(node.attrs["language"], null),
          meta: nonEmptyTextOr(node.attrs["meta"], null),
          value: node.textContent,
        },
      ];
    case "blockquote":
      return wrapContent(node, unchanged, (children) => ({ type: "blockquote", children }));
    case "alert":
      return wrapContent(node, unchanged, (children) => ({
        type: "blockquote",
        children: withAlertMarker(node, children),
      }));
    case "bullet_list":
      return [
        {
          type: "list",
          ordered: false,
          start: null,
          spread: isSpread(node),
          children: writeListItems(node, unchanged),
        },
      ];
    case "ordered_list":
      return [
        {
          type: "list",
          ordered: true,
          start: Number(node.attrs["order"] ?? 1),
          spread: isSpread(node),
          children: writeListItems(node, unchanged),
        },
      ];
    case "table":
      return [
        {
          type: "table",
          align: columnAlignmentsOf(node),
          children: childNodesOf(node).map((row) => writeTableRow(row, unchanged)),
        },
      ];
    case "footnote_definition": {
      const label = String(node.attrs["label"] ?? "");
      return wrapContent(node, unchanged, (children) => ({
        type: "footnoteDefinition",
        identifier: label.toLowerCase(),
        label,
        children,
      }));
    }
    case "html_block":
      return [{ type: "html", value: String(node.attrs["value"] ?? "") }];
    case "source_block":
      // Raw text is written as it is. The canonical formatter then parses it again.
      return node.textContent.trim() === "" ? [] : [{ type: "html", value: node.textContent }];
    default:
      throw new Error(`no Markdown for ${node.type.name}`);
  }
}

const inlineContentOf = (node: Node): PhrasingContent[] => writeEditorInline(node.content);
const isSpread = (node: Node): boolean => node.attrs["spread"] === true;
const nonEmptyTextOr = <T>(value: unknown, otherwise: T): string | T =>
  typeof value === "string" && value !== "" ? value : otherwise;

/**
 * Writes a heading. From the third level on, a heading is a single line of Markdown, so its line breaks are replaced.
 */
function writeEditorHeading(node: Node): Heading {
  const depth = validHeadingLevel(node.attrs["level"]);
  return {
    type: "heading",
    depth,
    children: depth <= 2 ? inlineContentOf(node) : inlineContentOf(node).map(withoutLineBreaks),
  };
}

function validHeadingLevel(value: unknown): 1 | 2 | 3 | 4 | 5 | 6 {
  return ([1, 2, 3, 4, 5, 6] as const).find((depth) => depth === value) ?? 2;
}

function childNodesOf(node: { content: Fragment }): Node[] {
  const found: Node[] = [];
  node.content.forEach((child) => found.push(child));
  return found;
}

function writeChildBlocks(node: Node, unchanged: FindOrigin): BlockContent[] {
  return childNodesOf(node).flatMap((child) => writeEditorBlock(child, unchanged) as BlockContent[]);
}

/** Writes a node's content and wraps it with `build`. A node without content is left out. */
function wrapContent(
  node: Node,
  unchanged: FindOrigin,
  build: (children: BlockContent[]) => RootContent,
): RootContent[] {
  const content = writeChildBlocks(node, unchanged);
  return content.length === 0 ? [] : [build(content)];
}

function withAlertMarker(node: Node, content: BlockContent[]): BlockContent[] {
  const kind = node.attrs["kind"];
  const marker = nonEmptyTextOr(node.attrs["marker"], alertMarker(isAlertKind(kind) ? kind : "note"));
  return contentWithMarker(marker, content, node.attrs["apart"] === true);
}

export const alertMarker = (kind: AlertKind): string => `[!${kind.toUpperCase()}]`;

/** Puts an alert's marker before its content: into the first paragraph, or as a paragraph of its own (`apart`). */
export function contentWithMarker<T extends RootContent>(
  marker: string,
  content: readonly T[],
  apart: boolean,
): (T | Paragraph)[] {
  const [first, ...rest] = content;
  if (apart || first?.type !== "paragraph") {
    return [{ type: "paragraph", children: [{ type: "text", value: marker }] }, ...content];
  }
  const [lead, ...others] = first.children;
  const line: PhrasingContent[] =
    lead?.type === "text"
      ? [{ type: "text", value: `${marker}\n${lead.value}` }]
      : [{ type: "text", value: `${marker}\n` }, ...(lead ? [lead] : [])];
  return [{ type: "paragraph", children: [...line, ...others] }, ...rest];
}

function writeListItems(node: Node, unchanged: FindOrigin): ListItem[] {
  return childNodesOf(node).map((item) => ({
    type: "listItem",
    spread: isSpread(item),
    checked: typeof item.attrs["checked"] === "boolean" ? item.attrs["checked"] : null,
    children: writeChildBlocks(item, unchanged),
  }));
}

function columnAlignmentsOf(table: Node): ("left" | "right" | "center" | null)[] {
  return childNodesOf(table.firstChild ?? table).map((cell) => {
    const value: unknown = cell.attrs["alignment"];
    return value === "left" || value === "right" || value === "center" ? value : null;
  });
}

function writeTableRow(row: Node, unchanged: FindOrigin): TableRow {
  const origin = unchanged(row);
  // A row that got additional cells is written as a new one.
  if (origin?.type === "tableRow" && origin.children.length >= row.childCount) return origin;
  return {
    type: "tableRow",
    children: childNodesOf(row).map((cell): TableCell => ({ type: "tableCell", children: writeTableCell(cell) })),
  };
}

/** Writes a cell. A cell is part of one line of Markdown, so its line breaks become spaces or `<br>`. */
function writeTableCell(cell: Node): PhrasingContent[] {
  return childNodesOf(cell)
    .flatMap((paragraph, index): PhrasingContent[] => [
      ...(index === 0 ? [] : [{ type: "html" as const, value: "<br>" }]),
      ...writeEditorInline(paragraph.content),
    ])
    .map(withoutLineBreaks);
}

function withoutLineBreaks(node: PhrasingContent): PhrasingContent {
  if (node.type === "break") return { type: "html", value: "<br>" };
  if (node.type === "text") return { type: "text", value: node.value.replaceAll("\n", " ") };
  if (!("children" in node)) return node;
  return { ...node, children: (node.children as PhrasingContent[]).map(withoutLineBreaks) } as PhrasingContent;
}
