import type { Delete, Emphasis, Link, Nodes, PhrasingContent, Strong } from "mdast";
import { htmlBlockNames, htmlRawNames } from "micromark-util-html-tag-name";
import { characterBefore, isPunctuation, isWhiteSpace } from "../flanking.ts";
import { isBareLink, writeAutolink } from "./autolink.ts";
import { writeResource, writeLabel } from "./resource.ts";
import { unknownNode } from "./unknown.ts";

/**
 * Inline content without escapes, with the kind of each character. `t` is text (may need a backslash), `b` and `e` are
 * marks that begin and end emphasis, `m` is a bracket, and `o` is opaque (code, HTML, destinations).
 */
export interface FlatInline {
  text: string;
  mask: string;
  marks: EmphasisMarks[];
}

/** The offsets of the opening and the closing mark of emphasis. */
export interface EmphasisMarks {
  node: EmphasisNode;
  open: number;
  close: number;
  length: number;
}

export type EmphasisNode = Emphasis | Strong | Delete;

/** Options of the writer that are not part of the nodes. */
interface InlineWriteOptions {
  angled: boolean;
  /** Emphasis that must become HTML tags, because marks don't work there (`3**(!)**mal`). */
  asTags: ReadonlySet<EmphasisNode>;
  /** Bare addresses that get another form. The writer adds those that need it, such as `www.a.b` after a tag. */
  notBare: Set<Link>;
}

/** Writes inline nodes as one string; `escape.ts` then decides which text needs a backslash. */
export function flattenInline(nodes: readonly PhrasingContent[], way: InlineWriteOptions): FlatInline {
  const flat: FlatInline = { text: "", mask: "", marks: [] };
  writeNodes(flat, nodes, "", way);
  return flat;
}

function appendText(flat: FlatInline, text: string, kind: "t" | "b" | "e" | "m" | "o"): void {
  flat.text += text;
  flat.mask += kind.repeat(text.length);
}

function writeNodes(flat: FlatInline, nodes: readonly PhrasingContent[], outer: string, way: InlineWriteOptions): void {
  nodes.forEach((node, index) => {
    writeNode(flat, node, textAfter(nodes[index + 1]), outer, way);
  });
}

function writeNode(
  flat: FlatInline,
  node: PhrasingContent,
  after: string,
  outer: string,
  way: InlineWriteOptions,
): void {
  switch (node.type) {
    case "text":
      return appendText(flat, node.value, "t");
    case "emphasis":
      return writeEmphasis(flat, node, emphasisMark(flat, after, outer), way);
    case "strong":
      return writeEmphasis(flat, node, outer === "**" ? "__" : "**", way);
    case "delete":
      return writeEmphasis(flat, node, "~~", way);
    case "inlineCode":
      return appendText(flat, codeSpan(node.value), "o");
    case "html":
      return appendText(flat, opensBlock(flat, node.value) ? `    ${node.value}` : node.value, "o");
    case "break":
      return appendText(flat, "\\\n", "o");
    case "image":
      appendText(flat, "![", "m");
      appendText(flat, node.alt ?? "", "t");
      appendText(flat, "]", "m");
      return appendText(flat, writeResource(node.url, node.title), "o");
    case "link": {
      const canBeBare = !way.notBare.has(node);
      const literal = writeAutolink(flat.text, node, after, { plain: way.angled, canBeBare });
      if (isBareLink(node) && (literal === undefined || literal.startsWith("<"))) way.notBare.add(node);
      if (literal !== undefined) return appendText(flat, literal, "o");
      writeInBrackets(flat, node.children, way);
      return appendText(flat, writeResource(node.url, node.title), "o");
    }
    case "imageReference":
      appendText(flat, "![", "m");
      appendText(flat, node.alt ?? "", "t");
      appendText(flat, "]", "m");
      return writeReference(flat, node.referenceType, node.label ?? node.identifier);
    case "linkReference":
      writeInBrackets(flat, node.children, way);
      return writeReference(flat, node.referenceType, node.label ?? node.identifier);
    case "footnoteReference":
      return appendText(flat, `[^${writeLabel(node.label ?? node.identifier)}]`, "o");
    default:
      return writeUnknown(flat, node, way);
  }
}

/** Writes the words of a node of an unknown kind. */
function writeUnknown(flat: FlatInline, node: Nodes, way: InlineWriteOptions): void {
  unknownNode.found(node.type);
  if ("children" in node) writeNodes(flat, node.children as PhrasingContent[], "", way);
  else if ("value" in node) appendText(flat, node.value, "t");
}

/**
 * Tells whether a tag would begin an HTML block: at the beginning of a later line, without an indent (CommonMark 4.6).
 */
function opensBlock(flat: FlatInline, html: string): boolean {
  if (!flat.text.endsWith("\n")) return false;
  const [, slash, name] = /^<(\/?)([A-Za-z][A-Za-z\d]*)(?=[\s>]|\/>|$)/.exec(html) ?? [];
  if (name === undefined) return /^<[!?]/.test(html);
  return htmlBlockNames.includes(name.toLowerCase()) || (slash === "" && htmlRawNames.includes(name.toLowerCase()));
}

const tags = { strong: "strong", emphasis: "em", delete: "del" } as const;

function writeEmphasis(flat: FlatInline, node: EmphasisNode, mark: string, way: InlineWriteOptions): void {
  if (way.asTags.has(node)) {
    appendText(flat, `<${tags[node.type]}>`, "o");
    writeNodes(flat, node.children, "", way);
    return appendText(flat, `</${tags[node.type]}>`, "o");
  }
  const open = flat.text.length;
  appendText(flat, mark, "b");
  writeNodes(flat, node.children, mark, way);
  flat.marks.push({ node, open, close: flat.text.length, length: mark.length });
  appendText(flat, mark, "e");
}

function writeInBrackets(flat: FlatInline, children: readonly PhrasingContent[], way: InlineWriteOptions): void {
  appendText(flat, "[", "m");
  writeNodes(flat, children, "", way);
  appendText(flat, "]", "m");
}

function writeReference(flat: FlatInline, type: "shortcut" | "collapsed" | "full", label: string): void {
  if (type === "collapsed") appendText(flat, "[]", "o");
  if (type === "full") appendText(flat, `[${writeLabel(label)}]`, "o");
}

/**
 * The mark for emphasis: `_`, which nests in `**` without ambiguity. It is `*` inside words and next to another `_`,
 * where `_` has no effect.
 */
function emphasisMark(flat: FlatInline, following: string, outer: string): string {
  const before = characterBefore(flat.text, flat.text.length);
  const [after = ""] = following;
  if (outer === "_" || outer === "__") return "*";
  return isEdge(before) && isEdge(after) && before !== "_" && after !== "_" ? "_" : "*";
}

function isEdge(character: string): boolean {
  return isWhiteSpace(character) || isPunctuation(character);
}

/** The text after a node up to the first space, which is all that a bare address could absorb. */
function textAfter(node: PhrasingContent | undefined): string {
  if (node === undefined) return "";
  if (node.type === "text") return /^[^\s<]*[\s<]?/.exec(node.value)?.[0] ?? "";
  if (node.type === "break") return "\\";
  if (node.type === "html") return "<";
  if (node.type === "link" && node.children[0]?.type === "text" && node.url.endsWith(node.children[0].value)) {
    return node.url.charAt(0);
  }
  return node.type === "inlineCode" ? "`" : "[";
}

function codeSpan(value: string): string {
  const runs = new Set((value.match(/`+/g) ?? []).map((run) => run.length));
  let length = 1;
  while (runs.has(length)) length += 1;
  const fence = "`".repeat(length);
  const padded = /^`|`$|^ .*[^ ].* $|^ [^ ] $/s.test(value) ? ` ${value} ` : value;
  return fence + padded + fence;
}
