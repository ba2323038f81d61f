/** Three readers of Markdown: ours, GFM by micromark without our dialect, and CommonMark alone by its own program. */
import { HtmlRenderer, Parser } from "commonmark";
import type { Nodes } from "hast";
import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";
import { parseHtml } from "../../core/markdown/html-tree.ts";
import { renderHtml } from "../../core/markdown/render.ts";

const [parser, writer] = [new Parser(), new HtmlRenderer()];

export const readers = {
  ours: (text: string) => renderHtml(text),
  gfm: (text: string) =>
    micromark(text, { allowDangerousHtml: true, extensions: [gfm()], htmlExtensions: [gfmHtml()] }),
  commonmark: (text: string) => writer.render(parser.parse(text)),
};

/** The words that a reader shows, in order. Blocks, cells and breaks separate words. */
export function shownWords(html: string): string {
  let words = "";
  const walk = (node: Nodes): void => {
    if (node.type === "text") words += node.value;
    if (!("children" in node)) return;
    const isInline = node.type === "element" && inline.has(node.tagName);
    if (!isInline) words += " ";
    node.children.forEach(walk);
    if (!isInline) words += " ";
  };
  walk(parseHtml(html));
  return words.replace(/\s+/g, " ").trim();
}

const inline = new Set("a b code del em i kbd q s small span strong sub sup u".split(" "));

/** The bytes of each piece of code that a reader shows. */
export function shownCode(html: string): string[] {
  const found: string[] = [];
  const walk = (node: Nodes): void => {
    if (node.type === "element" && node.tagName === "code") found.push(textOf(node));
    else if ("children" in node) node.children.forEach(walk);
  };
  walk(parseHtml(html));
  return found;
}

function textOf(node: Nodes): string {
  if (node.type === "text") return node.value;
  return "children" in node ? node.children.map(textOf).join("") : "";
}
