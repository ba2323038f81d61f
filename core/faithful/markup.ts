/** Markup that a text has and its readers don't get: they see its signs as text, or nothing. */
import { htmlBlockNames } from "micromark-util-html-tag-name";
import type { Nodes, Root } from "mdast";
import { eachNode } from "#core/markdown/each-node.ts";
import type { Change } from "./compare.ts";

/** An image or link whose address has a space, or that is inside an HTML block; bold that can't begin or end there. */
const asText = /!?\[[^\][\n]*\]\([^()\n]*\)|\*\*(?!\s)[^*\n]+\*\*/g;
const phrasingNames =
  "a abbr b bdi bdo big br cite code data del dfn em font i img input ins kbd label map mark math meter object output path picture progress q rp rt ruby s samp script select small source span strike strong style sub sup svg textarea time tt u var video wbr audio button canvas embed template image".split(
    " ",
  );
const known = new Set([...htmlBlockNames, ...phrasingNames, "pre", "script", "style", "textarea"]);

/** Whether browsers know an element of this name, or can be taught it. */
export function isHtmlName(name: string): boolean {
  return known.has(name.toLowerCase()) || name.includes("-");
}

/**
 * @param source the text that the tree was parsed from
 * @param lineOf from a line of that text to the line that a note names
 */
export function markupAsText(tree: Root, source: string, lineOf: (line: number) => number = (line) => line): Change[] {
  const changes: Change[] = [];
  const add = (node: Nodes, before: string, after: string, at = 0): void => {
    const start = node.position?.start.line ?? 1;
    changes.push({ kind: "markup", line: lineOf(start + at), near: "", before, after });
  };
  eachNode(tree, (node) => {
    if (node.type !== "text" && node.type !== "html") return;
    const raw = source.slice(node.position?.start.offset ?? 0, node.position?.end.offset ?? 0);
    const words =
      node.type === "html"
        ? raw.replace(
            /<!--[^]*?-->|<(?:pre|code|script|style)\b[^]*?<\/(?:pre|code|script|style)>|<[^<>]*>/gi,
            keepLines,
          )
        : raw;
    for (const match of words.matchAll(asText)) {
      // a backslash says that the author wants the sign itself
      if (raw[match.index - 1] === "\\" || match[0].includes("\\*")) continue;
      add(node, match[0], "its signs", words.slice(0, match.index).split("\n").length - 1);
    }
    if (node.type !== "html") return;
    for (const [tag, name = ""] of raw.matchAll(/<([A-Za-z][\w.-]*)(?=[\s/>])[^<>]*>/g)) {
      if (!isHtmlName(name)) add(node, tag, "");
    }
  });
  return changes;
}

/** Blank text with the same places. */
function keepLines(text: string): string {
  return text.replace(/[^\n]/g, " ");
}
