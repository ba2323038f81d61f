/** `<figure>` around one image, as GitBook and other tools write it. */
import { writeAlt } from "#core/markdown/picture-alt.ts";
import { apart, leading, withoutOthers } from "./boxes.ts";
import type { Block, Place } from "./construct.ts";
import { attributesOf, imageText } from "./directives.ts";
import { toLines, toText, trimBlank, type SourceLine } from "../text/lines.ts";

const markdownImage =
  /^!\[((?:[^\]\\\n]|\\.)*)\]\(\s*(<[^<>\n]*>|(?:[^()<>"'\n]|\([^()<>"'\n]*\))+?)(?:\s+(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'))?\s*\)(?:\{:?([^{}\n]*)\})?$/;
const tagImage = /^<img\b((?:\s+[\w-]+\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))*)\s*\/?>$/;
const captionElement = /<figcaption\b[^<>]*>([^]*?)<\/figcaption>/i;
/** Words that a title of an image can have: others would show their markup. */
const plainCaption = /^[^<>*_`[\]{}$\\]*$/;

const mostLines = 10;

/** A figure's image and caption. The title of the image holds a caption of plain words. */
export interface Figure {
  /** Undefined where the figure holds anything but one image. */
  image: SourceLine | undefined;
  isTag: boolean;
  rest: SourceLine[];
  /** What the image has no place for. */
  caption: SourceLine[];
  without: string;
}

export function figureOf(body: readonly SourceLine[]): Figure | undefined {
  const source = toText(body);
  const origin = body[0]?.origin ?? 1;
  const [element, written = ""] = captionElement.exec(source) ?? [];
  const own = written.trim().replace(/^<p>([^]*)<\/p>$/i, "$1");
  const words = own.replace(/\s+/g, " ").trim();
  const rest = element === undefined ? source : source.replace(element, "");
  if (captionElement.test(rest)) return undefined;
  const inner = rest.trim();
  const isPlain = plainCaption.test(words);
  const image = imageOf(inner);
  const caption = words === "" || (isPlain && image !== undefined) ? [] : trimBlank(toLines(own.trim(), origin));
  return {
    image: image && { text: imageText(image.alt, image.target, isPlain && words !== "" ? words : image.title), origin },
    isTag: inner.startsWith("<img"),
    // lines stay where they are, so that notes name them
    rest: trimBlank(element === undefined ? body : withoutElement(body, element)),
    caption: caption.map((line) => ({ ...line, text: line.text.trim(), origin })),
    without:
      (image?.without ?? "") +
      (image && image.title !== "" && isPlain && words !== "" ? `, without title: ${image.title}` : ""),
  };
}

function withoutElement(body: readonly SourceLine[], element: string): SourceLine[] {
  const source = toText(body);
  const at = source.indexOf(element);
  const blank = element.replace(/[^\n]/g, "");
  return (source.slice(0, at) + blank + source.slice(at + element.length))
    .split("\n")
    .map((text, index) => ({ origin: 1, ...body[index], text }));
}

interface FigureImage {
  alt: string;
  target: string;
  title: string;
  without: string;
}

function imageOf(source: string): FigureImage | undefined {
  const [written, alt = "", target = "", double, single, list = ""] = markdownImage.exec(source) ?? [];
  if (written !== undefined) {
    const plain = alt.replace(/\\([[\]\\])/g, "$1");
    const bare = /^[^<].*[\s()]/.test(target) ? `<${target}>` : target;
    return {
      ...sized(plain, attributesOf(list)),
      target: bare,
      title: (double ?? single ?? "").replace(/\\(["'])/g, "$1"),
    };
  }
  const [tag, given = ""] = tagImage.exec(source) ?? [];
  if (tag === undefined) return undefined;
  const attributes = attributesOf(given);
  const src = attributes.get("src") ?? "";
  if (src === "" || /[<>\n]/.test(src)) return undefined;
  const title = attributes.get("title") ?? "";
  for (const key of ["src", "title"]) attributes.delete(key);
  return {
    ...sized(attributes.get("alt") ?? "", attributes),
    target: /[\s()]/.test(src) ? `<${src}>` : src,
    title,
  };
}

/** The alternative text with the width that attributes give an image, and what they say besides. */
export function sized(alt: string, attributes: ReadonlyMap<string, string>): { alt: string; without: string } {
  const [, given] = /^(\d{2,4})(?:px)?$/.exec(attributes.get("width") ?? "") ?? [];
  const width = given === undefined ? null : Number(given);
  return {
    alt: writeAlt({ alt, width }),
    without: withoutOthers(attributes, ["alt", ...(width === null ? [] : ["width"])]),
  };
}

/** In HTML, Markdown's image is text: no view shows it. An image of Markdown keeps the caption as its title. */
export function readFigure({ lines, index, add, convert }: Place): Block | undefined {
  const line = lines[index];
  const [opening, written = ""] = /^[ \t]*<figure((?:\s[^<>]*)?)>/i.exec(line?.text ?? "") ?? [];
  if (line === undefined || opening === undefined) return undefined;
  const length = lines.slice(index, index + mostLines).findIndex(({ text }) => /<\/figure>[ \t]*$/i.test(text));
  if (length < 0) return undefined;
  const end = index + length + 1;
  const source = toText(lines.slice(index, end));
  const body = source.slice(opening.length).replace(/<\/figure>[ \t]*$/i, "");
  const figure = figureOf(toLines(body, line.origin));
  // views show a figure of HTML with a caption that has markup
  if (figure?.image === undefined || (figure.isTag && figure.caption.length > 0)) return undefined;
  const what = `became an image${figure.without}${withoutOthers(attributesOf(written), [])}`;
  const below = figure.caption.length > 0 ? ", with the caption below" : "";
  add({
    dialect: "html",
    name: "<figure>",
    line: line.origin,
    outcome: "mapped",
    code: "image",
    what: what + below,
    source: source.trim(),
  });
  const caption = figure.caption.length === 0 ? [] : [{ text: "", origin: line.origin }, ...convert(figure.caption)];
  const out = [figure.image, ...caption].map((one) => ({ ...one, text: one.text && leading(line.text) + one.text }));
  return { end, out: apart(out, lines[end]) };
}
