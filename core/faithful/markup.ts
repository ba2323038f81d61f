/** Markup that a text has and its readers don't get: they see its signs as text, or nothing. */
import { htmlBlockNames } from "micromark-util-html-tag-name";
import type { Nodes, Root } from "mdast";
import { eachNode } from "#core/markdown/each-node.ts";
import type { Change } from "./compare.ts";

/**
 * An image or link whose address has a space, or that is inside an HTML block; bold or italics that can't begin or end
 * there: a mark between a letter and a punctuation mark, or beside a space. Addresses of templates have notes of their own.
 */
const asText = new RegExp(
  [
    String.raw`!?\[[^\][\n]*\]\((?!\{[{%])[^()\n]*\)`,
    String.raw`\*\*(?!\s)[^*\n]+\*\*`,
    String.raw`\*\*(?<=^[ \t]*\*\*)[ \t]+\p{L}[^*\n]*\*\*`,
    String.raw`(?<![\p{L}\p{N}*])\*(?![\s*])[^*\n]*[\p{P}\p{S}]\*(?=\p{L})`,
    String.raw`(?<![\p{L}\p{N}_])(__?)(?![\s_])[^_\n]*[\p{P}\p{S}]\1(?=\p{L})`,
  ].join("|"),
  "gmu",
);
const phrasingNames =
  "a abbr b bdi bdo big br cite code data del dfn em font i img input ins kbd label map mark math meter object output path picture progress q rp rt ruby s samp script select small source span strike strong style sub sup svg textarea time tt u var video wbr audio button canvas embed template image".split(
    " ",
  );
const known = new Set([...htmlBlockNames, ...phrasingNames, "pre", "script", "style", "textarea"]);

/** Whether browsers know an element of this name, or can be taught it. */
export function isHtmlName(name: string): boolean {
  return known.has(name.toLowerCase()) || name.includes("-");
}

export interface MarkAsText {
  node: Nodes;
  mark: string;
  /** The place of the mark in the text that was parsed. */
  start: number;
}

/** Markdown marks that readers see as text. @param source the text that the tree was parsed from */
export function marksAsText(tree: Root, source: string): MarkAsText[] {
  const found: MarkAsText[] = [];
  eachNode(tree, (node) => {
    if (node.type !== "text" && node.type !== "html") return;
    const from = node.position?.start.offset ?? 0;
    const raw = source.slice(from, node.position?.end.offset ?? 0);
    const words =
      node.type === "html"
        ? raw.replace(
            /<!--[^]*?-->|<(?:pre|code|script|style)\b[^]*?<\/(?:pre|code|script|style)>|<[^<>]*>/gi,
            keepLines,
          )
        : raw;
    for (const { 0: mark, index } of words.matchAll(asText)) {
      // a backslash says that the author wants the sign itself
      if (raw[index - 1] !== "\\" && !/\\[*_]/.test(mark)) found.push({ node, mark, start: from + index });
    }
  });
  return found;
}

/** The marks as changes. @param lineOf from a line of the source to the line that a note names */
export function markChanges(tree: Root, source: string, lineOf: (line: number) => number = (line) => line): Change[] {
  return marksAsText(tree, source).map(({ node, mark, start }) => {
    const { line = 1, offset = 0 } = node.position?.start ?? {};
    const at = line + source.slice(offset, start).split("\n").length - 1;
    return { kind: "markup", line: lineOf(at), near: "", before: mark, after: mark };
  });
}

/** Marks and tags that no reader gets: the marks are seen as text, the tags not at all. */
export function markupAsText(tree: Root, source: string, lineOf?: (line: number) => number): Change[] {
  const changes = markChanges(tree, source, lineOf);
  eachNode(tree, (node) => {
    if (node.type !== "html") return;
    const line = node.position?.start.line ?? 1;
    for (const [tag, name = ""] of node.value.matchAll(/<([A-Za-z][\w.-]*)(?=[\s/>])[^<>]*>/g)) {
      if (!isHtmlName(name))
        changes.push({ kind: "markup", line: lineOf?.(line) ?? line, near: "", before: tag, after: "" });
    }
  });
  return changes;
}

/** Blank text with the same places. */
function keepLines(text: string): string {
  return text.replace(/[^\n]/g, " ");
}
