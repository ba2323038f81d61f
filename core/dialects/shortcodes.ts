/** Reads shortcodes of Hugo (`{{< note >}}`) and tags of Liquid (`{% hint %}`) on separate lines. */
import { texts, withOmitted } from "./texts.ts";
import type { MessageWithId } from "#core/language/catalog.ts";
import { alertKindForWord } from "../markdown/alert-kinds.ts";
import {
  alertLines,
  withBlankLineBelow,
  detailsLines,
  linesInFence,
  indentedLines,
  keepAsFencedCode,
  keepAsFencedBlock,
  tabLines,
  omittedAttributesText,
  type ForeignBox,
} from "./boxes.ts";
import type { RecognizedBlock, Construct, ForeignDialect, ConstructPlace } from "./construct.ts";
import { parseAttributes, imageMarkdown } from "./directives.ts";
import {
  withoutIndent,
  fencedLineFlags,
  indentOf,
  isBlankLine,
  withoutBlankEnds,
  type SourceLine,
} from "../text/lines.ts";

interface ShortcodeTag {
  dialect: "hugo" | "liquid";
  name: string;
  isEnd: boolean;
  /** The text after the tag's name. */
  text: string;
  indent: string;
  origin: number;
  opening: string;
}

interface PairedShortcode extends ShortcodeTag {
  body: SourceLine[];
  end: number;
}

const hugo = /^([ \t]*)\{\{([<%])[ \t]*(\/?)[ \t]*([A-Za-z][\w./-]*)((?:[ \t]+(?:(?![>%]\}\}).)*)?)[>%]\}\}[ \t]*$/;
const liquid = /^([ \t]*)\{%-?[ \t]*(end)?([A-Za-z][\w-]*)((?:[ \t]+(?:(?!%\}).)*?)?)-?%\}[ \t]*$/;

function shortcodeTagOf(line: SourceLine | undefined): ShortcodeTag | undefined {
  if (line === undefined) return undefined;
  const base = { origin: line.origin, opening: line.text.trim() };
  const one = hugo.exec(line.text);
  if (one !== null) {
    const [, indent = "", , slash = "", name = "", text = ""] = one;
    return { ...base, dialect: "hugo", name, isEnd: slash !== "", text: text.trim(), indent };
  }
  const [, indent, end, name = "", text = ""] = liquid.exec(line.text) ?? [];
  if (indent === undefined) return undefined;
  return { ...base, dialect: "liquid", name, isEnd: end !== undefined, text: text.trim(), indent };
}

/**
 * Reads the tag on this line and everything up to its end tag, which is alone on a line; undefined without an end tag.
 */
function shortcodePairAt(lines: readonly SourceLine[], index: number): PairedShortcode | undefined {
  const tag = shortcodeTagOf(lines[index]);
  if (tag === undefined || tag.isEnd || tag.text.endsWith("/")) return undefined;
  const fenced = fencedLineFlags(lines);
  let depth = 1;
  for (let at = index + 1; at < lines.length; at += 1) {
    const other = fenced[at] && !/^[ \t]*\{[{%]/.test(lines[at]?.text ?? "") ? undefined : shortcodeTagOf(lines[at]);
    if (other?.name !== tag.name || other.dialect !== tag.dialect) continue;
    depth += other.isEnd ? -1 : 1;
    if (depth > 0) continue;
    const body = lines
      .slice(index + 1, at)
      .map((line) => ({ ...line, text: withoutIndent(line.text, indentOf(tag.indent)) }));
    return { ...tag, body, end: at + 1 };
  }
  return undefined;
}

/** Returns the words of a tag that aren't `key=value`: `warning`, `"A title"`. */
function positionalWords(text: string): string[] {
  const parts = text.matchAll(/"([^"]*)"|'([^']*)'|[\w:-]+\s*=\s*(?:"[^"]*"|'[^']*'|\S+)|(\S+)/g);
  return [...parts].map(([, one, two, three]) => one ?? two ?? three ?? "").filter(Boolean);
}

const boxNames = /^(?:notice|alert|admonition|callout|hint|banner|box|message|pageinfo|blockquote)$/;
const kindKeys = ["type", "style", "kind", "level", "color", "theme", "context"];

/**
 * Converts the shortcode that begins on this line to Markdown, or keeps it as code. Other tags stay in the text, and
 * `findInlineMarkup` reports them.
 */
export function readShortcode(place: ConstructPlace): RecognizedBlock | undefined {
  const { lines, index } = place;
  const split = readMultilineTag(place);
  if (split !== undefined) return split;
  const tag = shortcodeTagOf(lines[index]);
  if (tag === undefined || tag.isEnd) return undefined;
  const pair = findShortcodePair(place, tag);
  if (pair === undefined) return readShortcodeFigure(place);
  if (pair.dialect === "liquid" && pair.name === "comment") {
    const about = { dialect: pair.dialect, name: "{% comment %}", code: "shortcode" as const };
    return keepAsFencedBlock(place, pair.end, about);
  }
  const mapped = mapShortcodePair(place, pair);
  if (mapped === undefined) {
    if (!losesIndentInMarkdown(pair)) return undefined;
    return keepAsFencedBlock(place, pair.end, {
      dialect: pair.dialect,
      name: shortcodeConstruct(pair, texts.code()).name,
      code: "shortcode",
    });
  }
  place.add(shortcodeConstruct(pair, mapped.what));
  return { end: pair.end, out: withBlankLineBelow(indentedLines(pair.indent, mapped.out), lines[pair.end]) };
}

/**
 * Finds the end tag of a shortcode. After a failed search for a name, later tags with this name in the same lines
 * aren't searched.
 */
function findShortcodePair(
  { lines, index, searches }: ConstructPlace,
  { dialect, name }: ShortcodeTag,
): PairedShortcode | undefined {
  const unpaired = searches.unpaired.get(lines) ?? new Set();
  const key = `${dialect} ${name}`;
  if (searches.left <= 0 || unpaired.has(key)) return undefined;
  const pair = shortcodePairAt(lines, index);
  if (pair !== undefined) return pair;
  searches.left -= 1;
  searches.unpaired.set(lines, unpaired.add(key));
  return undefined;
}

/**
 * Tells whether Markdown would remove an indent that has a meaning, as in YAML. Hugo doesn't change text between `{{<`
 * tags.
 */
function losesIndentInMarkdown({ body, opening }: PairedShortcode): boolean {
  if (!opening.startsWith("{{<") || body.some(({ text }) => /^[ \t]*<\/?[a-z]/i.test(text))) return false;
  const fenced = fencedLineFlags(body);
  let inItem = false;
  return body.some(({ text }, index) => {
    if (isBlankLine(text) || fenced[index]) return false;
    if (/^[ \t]/.test(text)) return !inItem;
    inItem = /^(?:[-*+]|\d{1,9}[.)])[ \t]/.test(text);
    return false;
  });
}

function shortcodeConstruct({ dialect, name, text, origin, opening }: ShortcodeTag, what: MessageWithId): Construct {
  const kinds = positionalWords(text).filter((word) => alertKindForWord(word) !== undefined);
  const head = [name, ...kinds.map((word) => `"${word}"`)].join(" ");
  const short = dialect === "hugo" ? `{{< ${head} >}}` : `{% ${head} %}`;
  const shown = opening.length > 60 ? short : opening;
  return { dialect, name: shown, line: origin, outcome: "mapped", code: "shortcode", what, source: opening };
}

function mapShortcodePair(
  place: ConstructPlace,
  pair: PairedShortcode,
): { out: SourceLine[]; what: MessageWithId } | undefined {
  const { name, text, origin } = pair;
  const attributes = parseAttributes(text);
  const words = positionalWords(text);
  const own = alertKindForWord(name);
  if (own !== undefined || boxNames.test(name)) {
    const values = kindKeys.map((key) => attributes.get(key) ?? "");
    const isBox = boxNames.test(name);
    const given = [...values, ...(isBox ? words : [])].find((word) => alertKindForWord(word) !== undefined);
    const word = given ?? (own === undefined ? undefined : name);
    const kind = alertKindForWord(word ?? "note") ?? "NOTE";
    const title = attributes.get("title") ?? words.find((word) => !isBox || alertKindForWord(word) === undefined);
    const left = words.filter((word) => word !== title && !(isBox && alertKindForWord(word) !== undefined));
    const lost = omittedAttributesText(attributes, ["title", ...kindKeys], left);
    const out = alertLines(kind, { title, word, body: place.convert(pair.body), origin });
    return { out, what: withOmitted(texts.alert({ kind }), lost) };
  }
  if (/^(?:details|expand|collapse|spoiler|accordion)$/.test(name)) {
    const title = attributes.get("title") ?? attributes.get("summary") ?? words[0];
    const out = detailsLines({ title, body: place.convert(pair.body), origin }, false);
    const left = words.filter((word) => word !== title);
    return { out, what: withOmitted(texts.details(), omittedAttributesText(attributes, ["title", "summary"], left)) };
  }
  if (name === "highlight") {
    const out = linesInFence(words[0] ?? "", pair.body);
    const more = text.slice(text.indexOf(words[0] ?? "") + (words[0] ?? "").length).trim();
    return { out, what: withOmitted(texts.code(), more) };
  }
  if (/^(?:mermaid|math|katex)$/.test(name)) {
    const info = name === "mermaid" ? "mermaid" : "math";
    return {
      out: linesInFence(info, pair.body),
      what: withOmitted(texts.code(), omittedAttributesText(attributes, [], words)),
    };
  }
  return /^(?:tabs|tabpane)$/.test(name) ? mapShortcodeTabs(place, pair) : undefined;
}

/** Returns the language of a tab's code in Docsy's `tabpane`; undefined if the tab or the pane says that it is text. */
function tabLanguage(pane: PairedShortcode, tab: PairedShortcode): string | undefined {
  const own = parseAttributes(tab.text);
  const all = parseAttributes(pane.text);
  const isText = [own, all].some((one) => one.get("text") === "true") || !tab.opening.startsWith("{{<");
  if (isText) return undefined;
  return own.get("lang") ?? all.get("lang") ?? (pane.name === "tabpane" ? "" : undefined);
}

function mapShortcodeTabs(
  place: ConstructPlace,
  pane: PairedShortcode,
): { out: SourceLine[]; what: MessageWithId } | undefined {
  const { body, end, text } = pane;
  const tabs: { box: ForeignBox; tag: ShortcodeTag; lost: string }[] = [];
  for (let at = 0; at < body.length;) {
    if (isBlankLine(body[at]?.text ?? "")) {
      at += 1;
      continue;
    }
    const tab = shortcodePairAt(body, at);
    if (tab === undefined || !/^tab$/.test(tab.name)) return undefined;
    const attributes = parseAttributes(tab.text);
    const key = ["title", "header", "name", "label"].find((one) => attributes.has(one));
    const title = key === undefined ? positionalWords(tab.text)[0] : attributes.get(key);
    const lang = tabLanguage(pane, tab);
    const used = ["text", ...(lang === undefined ? [] : ["lang"]), ...(key === undefined ? [] : [key])];
    const content = lang === undefined ? place.convert(tab.body) : linesInFence(lang, withoutBlankEnds(tab.body));
    tabs.push({
      box: { title: title ?? "", body: content, origin: tab.origin },
      tag: tab,
      lost: omittedAttributesText(attributes, used),
    });
    at = tab.end;
  }
  if (tabs.length === 0 || tabs.some(({ box }) => (box.title ?? "") === "")) return undefined;
  const { out, what } = tabLines(
    place,
    tabs.map(({ box }) => box),
    end,
  );
  for (const { tag, lost } of tabs) place.add({ ...shortcodeConstruct(tag, withOmitted(what, lost)), code: "tabs" });
  return { out, what: withOmitted(texts.parts(), text) };
}

/** Maps `{{< figure src="a.png" alt="…" caption="…" >}}` to an image. */
function readShortcodeFigure(place: ConstructPlace): RecognizedBlock | undefined {
  const tag = shortcodeTagOf(place.lines[place.index]);
  if (tag === undefined || tag.dialect !== "hugo" || !/^(?:figure|img|image)$/.test(tag.name)) return undefined;
  const attributes = parseAttributes(tag.text);
  const src = attributes.get("src");
  if (src === undefined || /[\s<>(){}]/.test(src)) return undefined;
  const caption = attributes.get("caption") ?? attributes.get("title") ?? "";
  const alt = attributes.get("alt") ?? "";
  const used = ["src", "alt", attributes.has("caption") ? "caption" : "title"];
  place.add(shortcodeConstruct(tag, withOmitted(texts.image(), omittedAttributesText(attributes, used))));
  const out = [{ text: tag.indent + imageMarkdown(alt, src, caption), origin: tag.origin }];
  return { end: place.index + 1, out: withBlankLineBelow(out, place.lines[place.index + 1]) };
}

/** Keeps a tag that extends over several lines, because Markdown would join or change them. */
function readMultilineTag(place: ConstructPlace): RecognizedBlock | undefined {
  const { lines, index } = place;
  const [, mark] = /^[ \t]*(\{\{[<%]|\{%|\{\{\{?|\{#|<%)/.exec(lines[index]?.text ?? "") ?? [];
  if (mark === undefined) return undefined;
  const close =
    mark === "{{<" ? ">}}" : mark === "{{%" ? "%}}" : ({ "{%": "%}", "{#": "#}", "<%": "%>" }[mark] ?? "}}");
  if ((lines[index]?.text ?? "").includes(close)) return undefined;
  const last = index + 1 + lines.slice(index + 1, index + 40).findIndex(({ text }) => text.includes(close));
  if (last === index) return undefined;
  const dialect: ForeignDialect =
    close.startsWith("}}") || mark === "<%" ? "template" : mark.startsWith("{{") ? "hugo" : "liquid";
  const name = (lines[index]?.text ?? "").trim();
  const out = keepAsFencedCode(place, last + 1, {
    dialect,
    name,
    code: dialect === "template" ? "template-tag" : "shortcode",
  });
  return { end: last + 1, out: withBlankLineBelow(withoutBlankEnds(out), lines[last + 1]) };
}
