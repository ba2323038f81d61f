/** Finds markup without effect: readers see its characters as text, or nothing at all. */
import { htmlBlockNames } from "micromark-util-html-tag-name";
import type { Nodes, Root } from "mdast";
import { eachNode } from "#core/markdown/each-node.ts";
import type { ConversionChange } from "./compare.ts";

/**
 * Matches marks that are shown as text: an image or link whose address has a space or that is in an HTML block, and
 * bold or italic marks next to a space or between a letter and punctuation. Other notes cover addresses of templates.
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

/** Tells whether a name is that of an HTML element or a custom element. */
export function isHtmlName(name: string): boolean {
  return known.has(name.toLowerCase()) || name.includes("-");
}

export interface MarkAsText {
  node: Nodes;
  mark: string;
  /** The offset of the mark in the parsed text. */
  start: number;
}

/** Finds Markdown marks that readers see as text. @param source the text that was parsed to the tree */
export function findMarksShownAsText(tree: Root, source: string): MarkAsText[] {
  const found: MarkAsText[] = [];
  eachNode(tree, (node) => {
    if (node.type !== "text" && node.type !== "html") return;
    const from = node.position?.start.offset ?? 0;
    const raw = source.slice(from, node.position?.end.offset ?? 0);
    const words =
      node.type === "html"
        ? raw.replace(
            /<!--[^]*?-->|<(?:pre|code|script|style)\b[^]*?<\/(?:pre|code|script|style)>|<[^<>]*>/gi,
            blankExceptLineEnds,
          )
        : raw;
    for (const { 0: mark, index } of words.matchAll(asText)) {
      // skip escaped marks, because a backslash means that the author wants the character itself
      if (raw[index - 1] !== "\\" && !/\\[*_]/.test(mark)) found.push({ node, mark, start: from + index });
    }
  });
  return found;
}

/** Returns the marks as changes. @param lineOf returns the line number for a note */
export function markupChanges(
  tree: Root,
  source: string,
  lineOf: (line: number) => number = (line) => line,
): ConversionChange[] {
  return findMarksShownAsText(tree, source).map(({ node, mark, start }) => {
    const { line = 1, offset = 0 } = node.position?.start ?? {};
    const at = line + source.slice(offset, start).split("\n").length - 1;
    return { kind: "markup", line: lineOf(at), near: "", before: mark, after: mark };
  });
}

/** Finds Markdown marks that readers see as text, and unknown HTML tags, which readers don't see at all. */
export function findMarkupWithoutEffect(
  tree: Root,
  source: string,
  lineOf?: (line: number) => number,
): ConversionChange[] {
  const changes = markupChanges(tree, source, lineOf);
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

/** Replaces a text by spaces, except for line breaks, so that offsets and lines stay. */
function blankExceptLineEnds(text: string): string {
  return text.replace(/[^\n]/g, " ");
}
