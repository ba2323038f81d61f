/** Reads `<figure>` around one image, as GitBook and other tools write it. */
import { texts, withOmitted } from "./texts.ts";
import { writeAlt } from "#core/markdown/image-alt.ts";
import { withBlankLineBelow, leadingSpaceOf, omittedAttributesText } from "./boxes.ts";
import type { RecognizedBlock, ConstructPlace } from "./construct.ts";
import { parseAttributes, imageMarkdown } from "./directives.ts";
import { toLines, linesAsText, withoutBlankEnds, type SourceLine } from "../text/lines.ts";

const markdownImage =
  /^!\[((?:[^\]\\\n]|\\.)*)\]\(\s*(<[^<>\n]*>|(?:[^()<>"'\n]|\([^()<>"'\n]*\))+?)(?:\s+(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'))?\s*\)(?:\{:?([^{}\n]*)\})?$/;
const tagImage = /^<img\b((?:\s+[\w-]+\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))*)\s*\/?>$/;
const captionElement = /<figcaption\b[^<>]*>([^]*?)<\/figcaption>/i;
/** Matches words that can be the title of an image. Other captions would show their markup. */
const plainCaption = /^[^<>*_`[\]{}$\\]*$/;

const mostLines = 10;

/** A figure's image and caption. A caption of plain words becomes the title of the image. */
export interface FigureLines {
  /** The image; undefined if the figure contains anything but one image. */
  image: SourceLine | undefined;
  isTag: boolean;
  rest: SourceLine[];
  /** A caption with markup, which can't be the title of the image. */
  caption: SourceLine[];
  /** Attributes and a title that the Markdown image leaves out; empty texts for none. */
  without: string[];
}

/** Parses the content of a figure. @returns undefined if the figure has several captions */
export function parseFigureBody(body: readonly SourceLine[]): FigureLines | undefined {
  const source = linesAsText(body);
  const origin = body[0]?.origin ?? 1;
  const [element, written = ""] = captionElement.exec(source) ?? [];
  const own = written.trim().replace(/^<p>([^]*)<\/p>$/i, "$1");
  const words = own.replace(/\s+/g, " ").trim();
  const rest = element === undefined ? source : source.replace(element, "");
  if (captionElement.test(rest)) return undefined;
  const inner = rest.trim();
  const isPlain = plainCaption.test(words);
  const image = figureImageOf(inner);
  const caption = words === "" || (isPlain && image !== undefined) ? [] : withoutBlankEnds(toLines(own.trim(), origin));
  return {
    image: image && {
      text: imageMarkdown(image.alt, image.target, isPlain && words !== "" ? words : image.title),
      origin,
    },
    isTag: inner.startsWith("<img"),
    // keep the number of lines, so that line numbers in the report are right
    rest: withoutBlankEnds(element === undefined ? body : withoutElement(body, element)),
    caption: caption.map((line) => ({ ...line, text: line.text.trim(), origin })),
    without: [
      image?.without ?? "",
      image && image.title !== "" && isPlain && words !== "" ? `title: ${image.title}` : "",
    ],
  };
}

function withoutElement(body: readonly SourceLine[], element: string): SourceLine[] {
  const source = linesAsText(body);
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

function figureImageOf(source: string): FigureImage | undefined {
  const [written, alt = "", target = "", double, single, list = ""] = markdownImage.exec(source) ?? [];
  if (written !== undefined) {
    const plain = alt.replace(/\\([[\]\\])/g, "$1");
    const bare = /^[^<].*[\s()]/.test(target) ? `<${target}>` : target;
    return {
      ...altWithWidth(plain, parseAttributes(list)),
      target: bare,
      title: (double ?? single ?? "").replace(/\\(["'])/g, "$1"),
    };
  }
  const [tag, given = ""] = tagImage.exec(source) ?? [];
  if (tag === undefined) return undefined;
  const attributes = parseAttributes(given);
  const src = attributes.get("src") ?? "";
  if (src === "" || /[<>\n]/.test(src)) return undefined;
  const title = attributes.get("title") ?? "";
  for (const key of ["src", "title"]) attributes.delete(key);
  return {
    ...altWithWidth(attributes.get("alt") ?? "", attributes),
    target: /[\s()]/.test(src) ? `<${src}>` : src,
    title,
  };
}

/** Returns the alternative text with the image's width, and the names of attributes that Markdown can't represent. */
export function altWithWidth(alt: string, attributes: ReadonlyMap<string, string>): { alt: string; without: string } {
  const [, given] = /^(\d{2,4})(?:px)?$/.exec(attributes.get("width") ?? "") ?? [];
  const width = given === undefined ? null : Number(given);
  return {
    alt: writeAlt({ alt, width }),
    without: omittedAttributesText(attributes, ["alt", ...(width === null ? [] : ["width"])]),
  };
}

/**
 * Turns an HTML figure into a Markdown image with the caption as its title, because Markdown inside HTML isn't shown as
 * an image.
 */
export function readHtmlFigure({ lines, index, add, convert }: ConstructPlace): RecognizedBlock | undefined {
  const line = lines[index];
  const [opening, written = ""] = /^[ \t]*<figure((?:\s[^<>]*)?)>/i.exec(line?.text ?? "") ?? [];
  if (line === undefined || opening === undefined) return undefined;
  const length = lines.slice(index, index + mostLines).findIndex(({ text }) => /<\/figure>[ \t]*$/i.test(text));
  if (length < 0) return undefined;
  const end = index + length + 1;
  const source = linesAsText(lines.slice(index, end));
  const body = source.slice(opening.length).replace(/<\/figure>[ \t]*$/i, "");
  const figure = parseFigureBody(toLines(body, line.origin));
  // keep an HTML figure whose caption has markup, because views show it as it is
  if (figure?.image === undefined || (figure.isTag && figure.caption.length > 0)) return undefined;
  const what = withOmitted(texts.image(), ...figure.without, omittedAttributesText(parseAttributes(written), []));
  add({
    dialect: "html",
    name: "<figure>",
    line: line.origin,
    outcome: "mapped",
    code: "image",
    what: figure.caption.length > 0 ? texts.captioned({ what }) : what,
    source: source.trim(),
  });
  const caption = figure.caption.length === 0 ? [] : [{ text: "", origin: line.origin }, ...convert(figure.caption)];
  const out = [figure.image, ...caption].map((one) => ({
    ...one,
    text: one.text && leadingSpaceOf(line.text) + one.text,
  }));
  return { end, out: withBlankLineBelow(out, lines[end]) };
}
