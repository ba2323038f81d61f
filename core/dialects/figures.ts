/** `<figure>` around one image, as GitBook and other tools write it. */
import { writeAlt } from "#core/markdown/picture-alt.ts";
import { apart, leading, withoutOthers } from "./boxes.ts";
import type { Block, Place } from "./construct.ts";
import { attributesOf, imageText } from "./directives.ts";
import { toText } from "./lines.ts";

/** One image as Markdown or HTML, then a caption of plain words. A target in angle brackets may hold blanks. */
const figure =
  /^<figure>\s*(?:!\[((?:[^\]\\\n]|\\.)*)\]\((<[^<>\n]*>|[^\s()<>]+)\)|<img\b((?:\s+[\w-]+="[^"]*")*)\s*\/?>)\s*(?:<figcaption>\s*(?:<p>)?([^<>*_`[\]{}$\\]*)(?:<\/p>)?\s*<\/figcaption>)?\s*<\/figure>$/;

const mostLines = 10;

/** In HTML, Markdown's image is text: no view shows it. An image of Markdown keeps the caption as its title. */
export function readFigure({ lines, index, add }: Place): Block | undefined {
  const line = lines[index];
  if (line === undefined || !/^[ \t]*<figure>/.test(line.text)) return undefined;
  const length = lines.slice(index, index + mostLines).findIndex(({ text }) => text.trimEnd().endsWith("</figure>"));
  const end = index + length + 1;
  const source = toText(lines.slice(index, end)).trim();
  const [, alt, target, attributes = "", words = ""] = figure.exec(source) ?? [];
  const image = target === undefined ? readTag(attributes) : { alt: alt ?? "", target, without: "" };
  if (length < 0 || image === undefined) return undefined;
  const caption = words.replace(/\s+/g, " ").trim();
  const what = `became an image${image.without}`;
  add({ dialect: "html", name: "<figure>", line: line.origin, outcome: "mapped", code: "image", what, source });
  const out = [{ text: leading(line.text) + imageText(image.alt, image.target, caption), origin: line.origin }];
  return { end, out: apart(out, lines[end]) };
}

function readTag(written: string): { alt: string; target: string; without: string } | undefined {
  const attributes = attributesOf(written);
  const src = attributes.get("src") ?? "";
  if (src === "" || /[<>\n]/.test(src)) return undefined;
  const given = attributes.get("width") ?? "";
  const width = /^\d{2,4}$/.test(given) ? Number(given) : null;
  return {
    alt: writeAlt({ alt: attributes.get("alt") ?? "", width }),
    target: /[\s()]/.test(src) ? `<${src}>` : src,
    without: withoutOthers(attributes, ["src", "alt", ...(width === null ? [] : ["width"])]),
  };
}
