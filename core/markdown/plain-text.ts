import { decodeNamedCharacterReference } from "decode-named-character-reference";
import type { Image, ImageReference, Nodes } from "mdast";
import { alertKindOf, alertMark } from "./alerts.ts";
import { readAlt } from "./image-alt.ts";

/**
 * Writes a Markdown tree as one plain text, for titles, descriptions, search, AI input and comparisons. A break, a
 * `<br>` and the edge of a block or cell become one space. Other tags and comments are dropped, and character
 * references are decoded. An image gives its alternative text and its caption, and an alert its text without its kind.
 */
export function plainText(nodes: Nodes | readonly Nodes[]): string {
  let text = "";
  const addTextOf = (node: Nodes): void => {
    if (node.type === "blockquote" && alertKindOf(node) !== undefined) {
      text += ` ${plainText(node.children).replace(alertMark, "")}`;
    } else if ("children" in node) {
      for (const child of node.children) {
        if (isBlockNode(child)) text += " ";
        addTextOf(child);
      }
    } else if (node.type === "html") text += wordsOfHtml(node.value);
    else if (node.type === "break") text += " ";
    else if (node.type === "image" || node.type === "imageReference") text += textOfImage(node);
    else if ("value" in node && node.type !== "yaml") text += node.value;
  };
  for (const node of "type" in nodes ? [nodes] : nodes) {
    if (isBlockNode(node)) text += " ";
    addTextOf(node);
  }
  return text.replace(/\s+/g, " ").trim();
}

function textOfImage(image: Image | ImageReference): string {
  const { alt } = readAlt(image.alt ?? "");
  return "title" in image && image.title ? `${alt} ${image.title}` : alt;
}

const phrasing = new Set<Nodes["type"]>(
  "text emphasis strong delete inlineCode link linkReference image imageReference footnoteReference html break".split(
    " ",
  ) as Nodes["type"][],
);

function isBlockNode(node: Nodes): boolean {
  return !phrasing.has(node.type);
}

const inlineTag = /^<\/?(?:a|abbr|b|code|del|em|font|i|ins|kbd|mark|q|s|small|span|strong|sub|sup|u|wbr)\b/i;

function wordsOfHtml(html: string): string {
  return decodeReferences(
    html
      .replace(/<!--[^]*?-->|<(script|style)\b[^]*?<\/\1>/gi, "")
      .replace(/<\/?[a-z][^>]*>/gi, (tag) => (inlineTag.test(tag) ? "" : " ")),
  );
}

/**
 * Decodes character references such as `&deg;`, `&#176;` and `&#xB0;`. Unknown names are kept.
 */
export function decodeReferences(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z][\da-z]{0,31}));/gi,
    (whole: string, decimal?: string, hex?: string, name?: string) =>
      name === undefined
        ? characterOfCodePoint(Number.parseInt(decimal ?? hex ?? "", decimal === undefined ? 16 : 10))
        : decodeNamedCharacterReference(name) || whole,
  );
}

function characterOfCodePoint(code: number): string {
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "\uFFFD";
}
