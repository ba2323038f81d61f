/**
 * Reads directives: `:::warning Title` of Docusaurus, Outline, Docmost and VitePress, and MyST's `{note}` in fences and
 * colons.
 */
import { texts, withOmitted } from "./texts.ts";
import type { MessageWithId } from "#core/language/catalog.ts";
import { alertKindOrNote, alertKindForWord } from "../markdown/alert-kinds.ts";
import {
  alertLines,
  withBlankLineBelow,
  boldMarkdown,
  detailsLines,
  linesInFence,
  foldedLines,
  indentedLines,
  keepAsFencedCode,
  tabLines,
  omittedAttributesText,
} from "./boxes.ts";
import type { RecognizedBlock, Construct, ConstructPlace } from "./construct.ts";
import {
  closesFence,
  withoutIndent,
  fencedLineFlags,
  indentOf,
  isBlankLine,
  linesAsText,
  withoutBlankEnds,
  type SourceLine,
} from "../text/lines.ts";

export interface Directive {
  form: "fence" | "colon";
  isMyst: boolean;
  name: string;
  title: string;
  /** Options: `:key: value` in MyST, `{key=value .class}` in other tools. */
  options: Map<string, string>;
  body: SourceLine[];
  end: number;
  indent: string;
  origin: number;
  /** The opening line; the closing line follows if its indent differs. */
  opening: string;
}

const fence = /^([ \t]*)(`{3,}|~{3,}|:{3,})\{([A-Za-z][\w:.-]*)\}(.*)$/;
const colons = /^([ \t]*)(:{3,})(.*)$/;

/**
 * Reads the directive that begins on a line of text. @returns undefined if no directive begins there; null if the
 * directive has no end
 */
function directiveAt(lines: readonly SourceLine[], index: number): Directive | null | undefined {
  const line = lines[index];
  if (line === undefined) return undefined;
  const head = fence.exec(line.text);
  if (head !== null) return mystDirectiveAt(lines, index, line, head);
  const [, indent = "", mark = "", written = ""] = colons.exec(line.text) ?? [];
  const rest = written
    .trim()
    .replace(/:{3,}$/, "")
    .trim();
  if (mark === "" || rest === "") return undefined;
  const about = parseColonOpening(rest);
  if (about === undefined) return undefined;
  const close = findClosingColons(lines, index, mark.length);
  if (close === -1) return null;
  const body = lines
    .slice(index + 1, close)
    .map((one) => ({ ...one, text: withoutIndent(one.text, indentOf(indent)) }));
  const base = { form: "colon" as const, isMyst: false, body, end: close + 1, indent };
  return {
    ...base,
    ...about,
    origin: line.origin,
    opening: line.text.trim() + closingLineIfIndented(line, lines[close]),
  };
}

/** Returns the closing line if its indent differs from that of the opening line, else an empty text. */
function closingLineIfIndented(open: SourceLine, close: SourceLine | undefined): string {
  const by = indentOf(close?.text ?? "") - indentOf(open.text);
  return by === 0 ? "" : `\n${" ".repeat(Math.max(0, by))}${close?.text.trim() ?? ""}`;
}

function parseColonOpening(rest: string): Pick<Directive, "name" | "title" | "options"> | undefined {
  const pandoc = /^\{([^}]*)\}[ \t]*(.*)$/.exec(rest);
  if (pandoc !== null) {
    const options = parseAttributes(pandoc[1] ?? "");
    const names = (options.get("class") ?? "").split(" ").filter(Boolean);
    // Quarto's classes begin with `callout-`
    const words = names.map((word) => word.replace(/^callout-/, ""));
    const name = words.find((word) => alertKindForWord(word) !== undefined) ?? names[0] ?? "div";
    return { name, title: options.get("title") ?? pandoc[2] ?? "", options };
  }
  const found = /^([A-Za-z][\w-]*)(?=$|[\s[{])(?:\[((?:[^\]\\]|\\.)*)\])?(?:[ \t]*\{([^}]*)\})?[ \t]*(.*)$/.exec(rest);
  if (found === null) return undefined;
  const [, name = "", label, attributes = "", after = ""] = found;
  // VitePress writes the attributes after the title
  const [, words = "", last = ""] = /^(.*?)(?:[ \t]*\{((?:[#.][\w-]+|open|[ \t])+)\})?$/.exec(after) ?? [];
  const options = parseAttributes(`${attributes} ${last}`);
  if (/(?:^|[ \t])open(?:[ \t]|$)/.test(last)) options.set("open", "");
  return { name, title: label ?? options.get("title") ?? words, options };
}

/** Parses attributes: `#id .class key="value"`. */
export function parseAttributes(text: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [, mark, word, key, double, single, plain] of text.matchAll(
    /([#.])([\w-]+)|([\w:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'}]+))/g,
  )) {
    if (key !== undefined) found.set(key, double ?? single ?? plain ?? "");
    else if (mark === "#") found.set("id", word ?? "");
    else found.set("class", `${found.get("class") ?? ""} ${word ?? ""}`.trim());
  }
  return found;
}

/** Finds the line that closes a directive of `count` colons, skipping inner directives. */
function findClosingColons(lines: readonly SourceLine[], index: number, count: number): number {
  const fenced = fencedLineFlags(lines);
  const open = [count];
  for (let at = index + 1; at < lines.length; at += 1) {
    const [, , mark = "", rest = ""] = fenced[at] ? [] : (colons.exec(lines[at]?.text ?? "") ?? []);
    if (mark === "") continue;
    if (rest.trim() !== "") {
      if (/^\{?[.\w]/.test(rest.trim())) open.push(mark.length);
      continue;
    }
    const inner = open.findLastIndex((length) => length <= mark.length);
    if (inner === -1) continue;
    if (inner === 0) return at;
    open.length = inner;
  }
  return -1;
}

function mystDirectiveAt(
  lines: readonly SourceLine[],
  index: number,
  line: SourceLine,
  [, indent = "", mark = "", name = "", rest = ""]: RegExpExecArray,
): Directive | null {
  const sign = mark.charAt(0);
  const title = rest.trim();
  let close: number;
  if (sign === ":") close = findClosingColons(lines, index, mark.length);
  else close = lines.findIndex(({ text }, at) => at > index && closesFence({ mark, column: indentOf(indent) }, text));
  if (close === -1) return null;
  const content = lines
    .slice(index + 1, close)
    .map((one) => ({ ...one, text: withoutIndent(one.text, indentOf(indent)) }));
  const { options, body } = splitMystOptions(content);
  const form = sign === ":" ? ("colon" as const) : ("fence" as const);
  const opening = line.text.trim() + closingLineIfIndented(line, lines[close]);
  return { form, isMyst: true, name, title, options, body, end: close + 1, indent, origin: line.origin, opening };
}

function splitMystOptions(content: SourceLine[]): { options: Map<string, string>; body: SourceLine[] } {
  const options = new Map<string, string>();
  let at = 0;
  const isYaml = /^---[ \t]*$/.test(content[0]?.text ?? "");
  const close = isYaml ? content.findIndex(({ text }, index) => index > 0 && /^---[ \t]*$/.test(text)) : -1;
  if (isYaml && close !== -1) {
    for (const { text } of content.slice(1, close)) {
      const [, key = "", value = ""] = /^([\w-]+):[ \t]*(.*)$/.exec(text) ?? [];
      if (key !== "") options.set(key, value);
    }
    at = close + 1;
  } else {
    for (; at < content.length; at += 1) {
      const found = /^:([\w-]+):(?:[ \t]+(.*)|[ \t]*)$/.exec(content[at]?.text ?? "");
      if (found === null) break;
      options.set(found[1] ?? "", found[2] ?? "");
    }
  }
  return { options, body: content.slice(at) };
}

/**
 * Converts the directive that begins on this line to Markdown, or keeps the directive as code. Returns undefined if no
 * directive begins here, or for colons without an end.
 */
export function readDirectiveBlock(place: ConstructPlace): RecognizedBlock | undefined {
  const { lines, index } = place;
  if (place.searches.left <= 0) return undefined;
  const found = directiveAt(lines, index);
  if (found === undefined) return undefined;
  if (found === null) {
    place.searches.left -= 1;
    const text = lines[index]?.text.trim() ?? "";
    // leave the opening colons in the text, so that `findInlineMarkup` reports them
    if (text.startsWith(":")) return undefined;
    const line = lines[index]?.origin ?? 1;
    const what = texts.unclosed();
    place.add({ dialect: "myst", name: text, line, outcome: "reported", code: "directive", what, source: text });
    // a code fence without an end lasts to the end of the text in Markdown too
    return { end: lines.length, out: lines.slice(index) };
  }
  const mapped = found.isMyst ? convertMystDirective(place, found) : convertContainerDirective(place, found);
  if (mapped === undefined)
    return { end: found.end, out: withBlankLineBelow(keepDirectiveAsCode(place, found), lines[found.end]) };
  const what = withOmitted(mapped.what, omittedAttributesText(found.options, mapped.used));
  place.add({ ...directiveConstruct(found), outcome: "mapped", what, source: found.opening });
  return { end: found.end, out: withBlankLineBelow(indentedLines(found.indent, mapped.out), lines[found.end]) };
}

interface MappedDirective {
  out: SourceLine[];
  what: MessageWithId;
  /** Names of options that have a meaning in the result. */
  used: readonly string[];
}

function directiveConstruct({
  isMyst,
  name,
  origin,
}: Directive): Pick<Construct, "dialect" | "name" | "line" | "code"> {
  const code = alertKindForWord(name) === undefined ? "directive" : "admonition";
  return { dialect: isMyst ? "myst" : "container", name: isMyst ? `{${name}}` : `:::${name}`, line: origin, code };
}

/** Keeps a directive as code. A directive in a code fence already is a code block, so its bytes stay unchanged. */
function keepDirectiveAsCode(place: ConstructPlace, found: Directive): SourceLine[] {
  const about = directiveConstruct(found);
  if (found.form === "colon") return keepAsFencedCode(place, found.end, about);
  const lines = place.lines.slice(place.index, found.end);
  place.add({ ...about, outcome: "kept", what: texts.keptAsCode(), source: linesAsText(lines) });
  return lines;
}

const folded = new Set(["details", "dropdown", "collapse", "collapsible", "spoiler", "toggle", "expand"]);

function convertContainerDirective(place: ConstructPlace, found: Directive): MappedDirective | undefined {
  const { name, title, origin, options } = found;
  const kind = alertKindForWord(name);
  const isOwnClass = [name, `callout-${name}`].includes(options.get("class") ?? "");
  const used = ["title", ...(isOwnClass ? ["class"] : [])];
  if (kind !== undefined) {
    const box = { title: title === "" ? undefined : title, word: name, body: place.convert(found.body), origin };
    return { out: alertLines(kind, box), what: texts.alert({ kind }), used };
  }
  if (folded.has(name)) {
    const box = { title: title === "" ? undefined : title, body: place.convert(found.body), origin };
    return { ...foldedLines("NOTE", box, options.has("open")), used: [...used, "open"] };
  }
  if (name === "code-group") {
    return { out: withoutBlankEnds(found.body), what: texts.codeBlocks(), used };
  }
  return /^tabs?(?:-set)?$/.test(name) ? convertDirectiveTabs(place, found, used) : undefined;
}

const inner = /^(?:tab|tab-item)$/;

/** Converts a directive that contains only tabs; returns undefined if it contains anything else. */
function convertDirectiveTabs(
  place: ConstructPlace,
  { body, end }: Directive,
  used: readonly string[],
): MappedDirective | undefined {
  const tabs: Directive[] = [];
  for (let at = 0; at < body.length;) {
    if (isBlankLine(body[at]?.text ?? "")) {
      at += 1;
      continue;
    }
    const tab = directiveAt(body, at);
    if (tab === undefined || tab === null || !inner.test(tab.name)) return undefined;
    tabs.push(tab);
    at = tab.end;
  }
  if (tabs.length === 0) return undefined;
  const boxes = tabs.map((tab) => ({ title: tab.title, body: place.convert(tab.body), origin: tab.origin }));
  const { out, what } = tabLines(place, boxes, end);
  for (const tab of tabs) {
    const said = withOmitted(what, omittedAttributesText(tab.options, ["title"]));
    place.add({ ...directiveConstruct(tab), code: "tabs", outcome: "mapped", what: said, source: tab.opening });
  }
  return { out, what: texts.parts(), used };
}

function convertMystDirective(place: ConstructPlace, found: Directive): MappedDirective | undefined {
  const { name, title, body, options, origin } = found;
  const classes = (options.get("class") ?? "").split(/[ ,]+/);
  if (name === "admonition" || alertKindForWord(name) !== undefined) {
    const kind =
      name === "admonition"
        ? alertKindOrNote(classes.find((word) => alertKindForWord(word)) ?? "note")
        : alertKindOrNote(name);
    const content = place.convert(body);
    const own = name === "admonition" ? {} : { word: name };
    const box = { title: title === "" ? undefined : title, ...own, body: content, origin };
    // without a body, the words after the directive's name are its text, not its title
    const isText = title !== "" && name !== "admonition" && withoutBlankEnds(body).length === 0;
    if (isText)
      return {
        out: alertLines(kind, { ...box, title: undefined, body: [{ text: title, origin }] }),
        ...alertMapping(kind, classes),
      };
    if (classes.includes("dropdown")) {
      return { ...foldedLines(kind, box, options.has("open")), used: ["class", "open"] };
    }
    return { out: alertLines(kind, box), ...alertMapping(kind, classes) };
  }
  switch (name) {
    case "dropdown":
    case "details": {
      const box = { title: title === "" ? undefined : title, body: place.convert(body), origin };
      return { out: detailsLines(box, options.has("open")), what: texts.details(), used: ["open"] };
    }
    case "tab-set":
      return convertDirectiveTabs(place, found, []);
    case "image":
    case "figure":
      return convertImageDirective(place, found);
    case "table": {
      const head =
        title === ""
          ? []
          : [
              { text: boldMarkdown(title), origin },
              { text: "", origin },
            ];
      const out = [...head, ...withoutBlankEnds(place.convert(body))];
      return { out, what: texts.table(), used: [] };
    }
    case "code":
    case "code-block":
    case "sourcecode":
    case "mermaid":
    case "math": {
      const info = name === "mermaid" || name === "math" ? name : title;
      const isPlain = options.size === 0 && (info === title || title === "");
      return isPlain ? { out: linesInFence(info, body), what: texts.code(), used: [] } : undefined;
    }
    default:
      return undefined;
  }
}

function alertMapping(kind: string, classes: readonly string[]): { what: MessageWithId; used: readonly string[] } {
  const used = classes.every((word) => alertKindForWord(word) !== undefined) ? ["class"] : [];
  return { what: texts.alert({ kind }), used };
}

/**
 * Converts an image directive. A caption of one plain line becomes the image's title; any other text goes below the
 * image.
 */
function convertImageDirective(
  place: ConstructPlace,
  { name, title, body, options, origin }: Directive,
): MappedDirective | undefined {
  if (title === "" || /[\s<>]/.test(title)) return undefined;
  const content = withoutBlankEnds(place.convert(body));
  if (name === "image" && content.length > 0) return undefined;
  const [first] = content;
  const isCaption = content.length === 1 && first !== undefined && !/[*_`[\]<>{}$\\!#|]/.test(first.text);
  const caption = isCaption ? first.text.trim() : "";
  return {
    out: [
      { text: imageMarkdown(options.get("alt") ?? "", title, caption), origin },
      ...(isCaption || content.length === 0 ? [] : [{ text: "", origin }, ...content]),
    ],
    what: texts.image(),
    used: ["alt"],
  };
}

/** Writes an image. @param caption plain words for the image's title */
export function imageMarkdown(alt: string, url: string, caption: string): string {
  const title = caption === "" ? "" : ` "${caption.replaceAll('"', '\\"')}"`;
  return `![${alt.replace(/([[\]\\])/g, "\\$1")}](${url}${title})`;
}

/** Tells whether a MyST directive in a code fence begins in this line. */
export function isMystFence(text: string): boolean {
  return fence.test(text);
}
