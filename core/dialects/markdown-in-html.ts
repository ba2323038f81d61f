/** Reads Markdown inside HTML elements with the attribute `markdown`, like MkDocs (`md_in_html`). */
import { texts, withOmitted } from "./texts.ts";
import type { MessageWithId } from "#core/language/catalog.ts";
import { alertKindOrNote, alertKindForWord } from "../markdown/alert-kinds.ts";
import {
  alertLines,
  withBlankLineBelow,
  foldedLines,
  indentedLines,
  leadingSpaceOf,
  omittedAttributesText,
} from "./boxes.ts";
import type { RecognizedBlock, ConstructPlace } from "./construct.ts";
import { parseAttributes } from "./directives.ts";
import { parseFigureBody } from "./figures.ts";
import {
  withoutSharedIndent,
  fencedLineFlags,
  isBlankLine,
  linesAsText,
  withoutBlankEnds,
  type SourceLine,
} from "../text/lines.ts";

interface HtmlBlock {
  name: string;
  attributes: Map<string, string>;
  body: SourceLine[];
  /** The text after the closing tag on its line. */
  rest: string;
  end: number;
  opening: string;
}

const attribute = /\s+[\w:.-]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))?/;
const openingTag = new RegExp(`^[ \\t]*<([a-z][a-z0-9]*)((?:${attribute.source}){0,40})\\s*>`, "i");
const isMarkdown = /\smarkdown(?:\s*=\s*(["']?)(?:1|block|span)?\1)?(?=\s|$)/i;
const mostLines = 10;

/**
 * Reads the HTML element with the attribute `markdown` that begins in a line. @returns undefined if no such element
 * begins there; null if the element has no end
 */
function markdownElementAt(lines: readonly SourceLine[], index: number): HtmlBlock | null | undefined {
  if (!/^[ \t]*<[a-z]/i.test(lines[index]?.text ?? "")) return undefined;
  const [opening, name = "", written = ""] = openingTag.exec(linesAsText(lines.slice(index, index + mostLines))) ?? [];
  if (opening === undefined || !isMarkdown.test(written)) return undefined;
  const first = index + opening.split("\n").length - 1;
  const column = opening.length - opening.lastIndexOf("\n") - 1;
  const fenced = fencedLineFlags(lines);
  const tag = new RegExp(`<(/?)${name}(?=[\\s>])`, "gi");
  let depth = 1;
  for (let at = first; at < lines.length; at += 1) {
    const text = lines[at]?.text ?? "";
    if (fenced[at] && at > first) continue;
    for (const match of withoutCode(text).matchAll(tag)) {
      if (at === first && match.index < column) continue;
      depth += match[1] === "/" ? -1 : 1;
      const close = depth === 0 ? text.indexOf(">", match.index) : -1;
      if (close === -1) continue;
      const inside = lines.slice(first, at + 1).map((line) => ({ ...line }));
      const [start, last] = [inside[0], inside.at(-1)];
      if (last !== undefined) last.text = last.text.slice(0, match.index);
      if (start !== undefined) start.text = start.text.slice(column);
      const attributes = parseAttributes(written);
      attributes.delete("markdown");
      const body = withoutCommonIndent(inside);
      return { name: name.toLowerCase(), attributes, body, rest: text.slice(close + 1).trim(), end: at + 1, opening };
    }
  }
  return null;
}

/** Replaces code within a line by spaces, because code can mention tags. */
function withoutCode(text: string): string {
  return text.replace(/(?<!`)(`+)(?!`)[^`].*?\1(?!`)/g, (code) => " ".repeat(code.length));
}

/** Removes the common indent of the lines. The text on the line of the opening tag has no indent. */
function withoutCommonIndent([first, ...others]: readonly SourceLine[]): SourceLine[] {
  if (first === undefined) return [];
  const beside = isBlankLine(first.text) ? [] : [{ ...first, text: first.text.trimStart() }];
  return withoutBlankEnds([...beside, ...withoutSharedIndent(others)]);
}

/** Elements that only arrange their content. */
const layoutElements =
  /^(?:address|article|center|div|fieldset|figcaption|footer|form|header|hgroup|main|nav|p|section|summary)$/;

export function readMarkdownInHtml(place: ConstructPlace): RecognizedBlock | undefined {
  const { lines, index } = place;
  const line = lines[index];
  if (line === undefined || place.searches.left <= 0) return undefined;
  const found = markdownElementAt(lines, index);
  if (found === undefined) return undefined;
  if (found === null) {
    place.searches.left -= 1;
    return undefined;
  }
  const mapped = mapHtmlBlock(place, found, line.origin);
  if (mapped === undefined) return undefined;
  place.add({
    dialect: "html",
    name: `<${found.name} markdown>`,
    line: line.origin,
    outcome: "mapped",
    code: mapped.code,
    what: mapped.what,
    source: found.opening.trim(),
  });
  const { origin } = lines[found.end - 1] ?? line;
  const rest =
    found.rest === ""
      ? []
      : [
          { text: "", origin },
          { text: found.rest, origin },
        ];
  const out = [...mapped.out, ...rest];
  // below a list, another indent would take the content into the list's last item
  const indent = place.inItem ? leadingSpaceOf(line.text) : "";
  return { end: found.end, out: withBlankLineBelow(indentedLines(indent, out), lines[found.end]) };
}

interface MappedHtml {
  out: SourceLine[];
  what: MessageWithId;
  code: "admonition" | "image" | "raw-html";
}

function mapHtmlBlock(
  place: ConstructPlace,
  { name, attributes, body, opening }: HtmlBlock,
  origin: number,
): MappedHtml | undefined {
  const omitted = omittedAttributesText(attributes, []);
  if (name === "figure") {
    const figure = parseFigureBody(body);
    if (figure?.caption.length === 0 && figure.image !== undefined)
      return { out: [figure.image], what: withOmitted(texts.image(), ...figure.without, omitted), code: "image" };
    const content = figure?.image === undefined ? place.convert(figure?.rest ?? body) : [figure.image];
    const caption = place.convert(figure?.caption ?? []);
    const out = withoutBlankEnds([...content, { text: "", origin }, ...caption]);
    const what = caption.length > 0 ? texts.captioned({ what: texts.content() }) : texts.content();
    return { out, what: withOmitted(what, ...(figure?.without ?? []), omitted), code: "image" };
  }
  if (name === "details") {
    const { summary, rest } = splitDetailsSummary(body);
    const word = (attributes.get("class") ?? "").split(" ").find((one) => alertKindForWord(one) !== undefined);
    const box = { title: summary, word, body: place.convert(rest), origin };
    const { out, what } = foldedLines(alertKindOrNote(word ?? "note"), box, /\sopen(?=[\s=>])/i.test(opening));
    const used = ["open", ...(word === undefined ? [] : ["class"])];
    return { out, what: withOmitted(what, omittedAttributesText(attributes, used)), code: "raw-html" };
  }
  if (name === "aside") {
    const out = alertLines("NOTE", { title: undefined, body: place.convert(body), origin });
    return { out, what: withOmitted(texts.alert({ kind: "NOTE" }), omitted), code: "admonition" };
  }
  if (name === "blockquote") {
    const out = place.convert(body).map((one) => ({ ...one, text: one.text === "" ? ">" : `> ${one.text}` }));
    return { out, what: withOmitted(texts.quote(), omitted), code: "raw-html" };
  }
  const [, depth] = /^h([1-6])$/.exec(name) ?? [];
  if (depth !== undefined && body.length === 1) {
    const out = body.map((one) => ({ ...one, text: `${"#".repeat(Number(depth))} ${one.text.trim()}` }));
    return { out, what: withOmitted(texts.heading(), omitted), code: "raw-html" };
  }
  if (!layoutElements.test(name)) return undefined;
  return { out: place.convert(body), what: withOmitted(texts.content(), omitted), code: "raw-html" };
}

/** Splits the summary from the body of a details element. The summary loses its HTML tags and bold marks. */
function splitDetailsSummary(body: readonly SourceLine[]): { summary: string | undefined; rest: SourceLine[] } {
  const last = body.findIndex(({ text }) => /<\/summary>/i.test(text));
  const head = linesAsText(body.slice(0, last + 1));
  const [, words = "", after = ""] = /^\s*<summary\b[^<>]*>([^]*?)<\/summary>([^]*)$/i.exec(head) ?? [];
  if (words === "") return { summary: undefined, rest: [...body] };
  const beside = after.trim() === "" ? [] : [{ text: after.trim(), origin: body[last]?.origin ?? 1 }];
  const plain = words.replace(/<\/?[a-z][^<>]*>/gi, "").replace(/(\*\*|__)(?=\S)(.+?)\1/g, "$2");
  return { summary: plain.replace(/\s+/g, " ").trim(), rest: withoutBlankEnds([...beside, ...body.slice(last + 1)]) };
}
