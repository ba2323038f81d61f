import type {
  Code,
  List,
  ListItem,
  Nodes,
  Paragraph,
  PhrasingContent,
  Root,
  RootContent,
  Table,
  TableRow,
} from "mdast";
import { isCutCode } from "../table-rows.ts";
import { normaliseLabel, writeInline } from "./escape.ts";
import { writeDestination, writeLabel, writeTitle } from "./resource.ts";

/** Facts about the whole document for the writer. */
interface WriteScope {
  labels: ReadonlySet<string>;
  angled: boolean;
  plain: boolean;
  /** The text that the tree was parsed from; undefined without one. */
  source: string | undefined;
  /** The minimum indent of the content of list items. */
  indent: number;
}

interface BlockWriteOptions {
  /** Writes bare addresses as `<…>`. */
  angled?: boolean;
  /** Writes every backslash that could be needed. */
  plain?: boolean;
  source?: string | undefined;
  indent?: number;
}

/** The text of each block in a document, without the blank lines between them. */
export function writeBlocks(
  root: Root,
  { angled = false, plain = false, source, indent = 0 }: BlockWriteOptions = {},
): string[] {
  const scope = { labels: collectLabels(root), angled, plain, source, indent };
  return root.children.map((child, index) => {
    // `---` on the first line of a file would begin front matter
    if (index === 0 && child.type === "thematicBreak") return "***";
    return writeMarkdownBlock(root.children, index, child, scope);
  });
}

/** The separator between two neighboring blocks. */
export function blockSeparator(above: Nodes, below: Nodes): string {
  return above.type === "definition" && below.type === "definition" ? "\n" : "\n\n";
}

function collectLabels(root: Root): Set<string> {
  const labels = new Set<string>();
  const collectLabelsIn = (node: Nodes): void => {
    if (node.type === "definition") labels.add(normaliseLabel(node.label ?? node.identifier));
    if (node.type === "footnoteDefinition") labels.add(normaliseLabel(`^${node.label ?? node.identifier}`));
    if ("children" in node) node.children.forEach(collectLabelsIn);
  };
  collectLabelsIn(root);
  return labels;
}

function writeFlow(nodes: readonly RootContent[], scope: WriteScope, tight: boolean): string {
  let out = "";
  nodes.forEach((node, index) => {
    const above = nodes[index - 1];
    if (above !== undefined) out += tight ? "\n" : blockSeparator(above, node);
    out += writeMarkdownBlock(nodes, index, node, scope);
  });
  return out;
}

function writeMarkdownBlock(
  siblings: readonly RootContent[],
  index: number,
  node: RootContent,
  scope: WriteScope,
): string {
  switch (node.type) {
    case "paragraph":
      return writeInline(node.children, { ...scope, kind: "paragraph", opensItem: false });
    case "heading":
      return writeHeading(node.depth, node.children, scope);
    case "thematicBreak":
      return "---";
    case "blockquote":
      return prefixLines(writeFlow(node.children, scope, false), "> ", "> ");
    case "list":
      return writeList(node, needsOtherMark(siblings, index, node), scope);
    case "html":
      return node.value;
    case "code":
      return writeCode(node);
    case "definition":
      return `[${writeLabel(node.label ?? node.identifier)}]: ${writeDestination(node.url, node.title) || "<>"}${
        node.title ? ` ${writeTitle(node.title)}` : ""
      }`;
    case "footnoteDefinition":
      return prefixLines(
        writeFlow(node.children, scope, false),
        `[^${writeLabel(node.label ?? node.identifier)}]: `,
        "    ",
      );
    case "table":
      return writeTable(node, scope);
    case "listItem":
      return writeItem(node, "-", scope);
    case "tableRow":
    case "tableCell":
      return writeInline(node.children as PhrasingContent[], { ...scope, kind: "paragraph", opensItem: false });
    case "yaml":
      return "";
    default:
      return writeInline([node as PhrasingContent], { ...scope, kind: "paragraph", opensItem: false });
  }
}

function writeHeading(depth: number, children: readonly PhrasingContent[], scope: WriteScope): string {
  const lines = writeInline(children, { ...scope, kind: "paragraph", opensItem: false });
  // A heading with several lines is only possible in the underlined form.
  if (lines.includes("\n") && depth <= 2) return `${lines}\n${depth === 1 ? "===" : "---"}`;
  const title = writeInline(children, { ...scope, kind: "heading", opensItem: false });
  return title === "" ? "#".repeat(depth) : `${"#".repeat(depth)} ${title}`;
}

function writeCode({ value, lang, meta, position }: Code): string {
  const info = [lang, meta]
    .filter(Boolean)
    .join(" ")
    .replace(/&(?=[#\w]+;)/g, "\\&")
    .replace(/\\(?=[!-/:-@[-`{-~])/g, "\\\\");
  const mark = info.includes("`") ? "~" : "`";
  const longest = Math.max(2, ...(value.match(mark === "~" ? /~+/g : /`+/g) ?? []).map((run) => run.length));
  const fence = mark.repeat(longest + 1);
  // a code block with one empty line has the same value as an empty block
  const isEmpty = value === "" && !(position && position.end.line - position.start.line === 2);
  return isEmpty ? `${fence}${info}\n${fence}` : `${fence}${info}\n${value}\n${fence}`;
}

/**
 * Tells whether a list needs the other bullet or delimiter. Two neighboring lists with the same one would join, so they
 * alternate.
 */
function needsOtherMark(siblings: readonly RootContent[], index: number, list: List): boolean {
  const above = siblings[index - 1];
  if (above?.type !== "list" || Boolean(above.ordered) !== Boolean(list.ordered)) return false;
  return !needsOtherMark(siblings, index - 1, above);
}

function writeList(list: List, other: boolean, scope: WriteScope): string {
  const start = list.start ?? 1;
  const items = list.children.map((item, index) => {
    const number = list.data?.numbers?.[index] ?? start + index;
    const mark = list.ordered ? `${number}${other ? ")" : "."}` : other ? "*" : "-";
    return writeItem(item, mark, scope);
  });
  return items.join(list.spread ? "\n\n" : "\n");
}

function writeItem(item: ListItem, mark: string, scope: WriteScope): string {
  const box = typeof item.checked === "boolean" ? (item.checked ? "[x] " : "[ ] ") : "";
  const [first, ...rest] = item.children;
  if (first === undefined) return mark;
  const body = [writeFirstBlockOfItem(first, box, scope)];
  if (rest.length > 0) body.push(writeFlowAfter(item.children, scope, !item.spread));
  return prefixLines(
    body.join(item.spread ? "\n\n" : "\n"),
    `${mark} `,
    " ".repeat(Math.max(mark.length + 1, scope.indent)),
  );
}

function writeFlowAfter(children: ListItem["children"], scope: WriteScope, tight: boolean): string {
  return children
    .slice(1)
    .map(
      (node, index) =>
        (index === 0 ? "" : tight ? "\n" : "\n\n") + writeMarkdownBlock(children, index + 1, node, scope),
    )
    .join("");
}

function writeFirstBlockOfItem(first: ListItem["children"][number], box: string, scope: WriteScope): string {
  if (first.type === "paragraph") return box + writeFirstParagraph(first, box !== "", scope);
  // `- ---` would be one long rule
  return first.type === "thematicBreak" ? "___" : writeMarkdownBlock([first], 0, first, scope);
}

function writeFirstParagraph(paragraph: Paragraph, boxed: boolean, scope: WriteScope): string {
  return writeInline(paragraph.children, { ...scope, kind: "paragraph", opensItem: !boxed });
}

const rules = { left: ":--", right: "--:", center: ":-:" } as const;

/** Writes a table without padding in its cells, so that a change of one row changes one line of the file. */
function writeTable(table: Table, scope: WriteScope): string {
  const width = table.children[0]?.children.length ?? 0;
  const rows = table.children.map((row) => {
    const written = scope.plain ? undefined : sourceOfRow(row, width, scope);
    if (written !== undefined) return written;
    const cells = row.children.map((cell) =>
      writeInline(cell.children.flatMap(codeInCell), { ...scope, kind: "cell", opensItem: false }),
    );
    return writeRow([...cells, ...Array<string>(Math.max(0, width - cells.length)).fill("")]);
  });
  const align = Array.from({ length: width }, (_, index) => {
    const side = table.align?.[index];
    return side ? rules[side] : "---";
  });
  rows.splice(1, 0, writeRow(align));
  return rows.join("\n");
}

/**
 * Keeps the bytes of a row in which a pipe inside code ended the cell, for the author to correct. Parts of the code
 * became text, or a cell that no view shows.
 */
function sourceOfRow(row: TableRow, width: number, { source }: WriteScope): string | undefined {
  const [start, end] = [row.position?.start.offset, row.position?.end.offset];
  if (source === undefined || start === undefined || end === undefined) return undefined;
  return row.children.length > width || row.children.some(isCutCode)
    ? source.slice(start, end).replace(/[ \t]+$/, "")
    : undefined;
}

/**
 * Writes code with a backslash before a pipe as HTML, because a code span in a table can't contain it: the first
 * backslash would escape itself, and the second would end the cell. As HTML, the words stay code in their cell.
 */
function codeInCell(node: PhrasingContent): PhrasingContent[] {
  if (node.type === "inlineCode" && /(?:^|[^\\])(?:\\\\)*\\\|/.test(node.value)) {
    const { value } = node;
    return [
      { type: "html", value: "<code>" },
      { type: "text", value },
      { type: "html", value: "</code>" },
    ];
  }
  if (!("children" in node)) return [node];
  return [{ ...node, children: (node.children as PhrasingContent[]).flatMap(codeInCell) } as PhrasingContent];
}

function writeRow(cells: readonly string[]): string {
  return `|${cells.map((cell) => (cell === "" ? " |" : ` ${cell} |`)).join("")}`;
}

/** Puts `first` before the first line and `rest` before the others. Blank lines get no trailing space. */
function prefixLines(text: string, first: string, rest: string): string {
  return text
    .split("\n")
    .map((line, index) => {
      const mark = index === 0 ? first : rest;
      return line === "" ? mark.trimEnd() : mark + line;
    })
    .join("\n");
}
