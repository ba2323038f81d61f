/** Reads blocks of MkDocs: admonitions, content tabs, snippets, definition lists, abbreviations. */
import { texts } from "./texts.ts";
import { alertKindOrNote } from "../markdown/alert-kinds.ts";
import {
  alertLines,
  withBlankLineBelow,
  foldedLines,
  headingDepth,
  indentedLines,
  keepAsFencedBlock,
  tabLines,
  type ForeignBox,
} from "./boxes.ts";
import type { RecognizedBlock, ConstructPlace } from "./construct.ts";
import {
  withoutSharedIndent,
  indexAfterFence,
  indexAfterIndented,
  indentOf,
  isBlankLine,
  withoutBlankEnds,
  type SourceLine,
} from "../text/lines.ts";

const opening = /^([ \t]*)(!!!|\?\?\?\+?)[ \t]*([A-Za-z][\w-]*(?:[ \t]+[\w-]+)*)?[ \t]*(?:"((?:[^"\\]|\\.)*)")?[ \t]*$/;
const tab = /^([ \t]*)===[!+]?[ \t]+"((?:[^"\\]|\\.)*)"[ \t]*$/;

/** Reads `!!! note "Title"` above an indented body; `???` marks a folded box. */
export function readAdmonition(place: ConstructPlace): RecognizedBlock | undefined {
  const { lines, index } = place;
  const line = lines[index];
  const found = line === undefined ? null : opening.exec(line.text);
  if (line === undefined || found === null || (found[3] === undefined && found[4] === undefined)) return undefined;
  const [, indent = "", mark = "", words = "note", title] = found;
  const end = indexAfterIndented(lines, index + 1, indentOf(indent));
  // without an indented body, words after `???` may be ordinary text
  if (end === index + 1 && title === undefined) return undefined;
  const body = place.convert(withoutSharedIndent(lines.slice(index + 1, end)));
  const word = words.split(/[ \t]/)[0] ?? "";
  const kind = alertKindOrNote(word);
  const box: ForeignBox = { title: title?.replace(/\\(.)/g, "$1"), word, body, origin: line.origin };
  const { out, what } =
    mark === "!!!"
      ? { out: alertLines(kind, box), what: texts.alert({ kind }) }
      : foldedLines(kind, box, mark === "???+");
  place.add({
    dialect: "mkdocs",
    name: `${mark} ${words}`,
    line: line.origin,
    outcome: "mapped",
    code: "admonition",
    what,
    source: line.text.trim(),
  });
  return { end, out: withBlankLineBelow(indentedLines(indent, out), lines[end]) };
}

/** Reads `=== "Linux"` above an indented body. Neighboring tabs are one group. */
export function readMkdocsTabs(place: ConstructPlace): RecognizedBlock | undefined {
  const { lines, index } = place;
  const first = tab.exec(lines[index]?.text ?? "");
  if (first === null) return undefined;
  const [, indent = ""] = first;
  const tabs: ForeignBox[] = [];
  const sources: string[] = [];
  let end = index;
  for (let at = index; at < lines.length;) {
    const line = lines[at];
    const found = tab.exec(line?.text ?? "");
    if (line === undefined || found === null || indentOf(found[1] ?? "") !== indentOf(indent)) break;
    end = indexAfterIndented(lines, at + 1, indentOf(indent));
    const body = place.convert(withoutSharedIndent(lines.slice(at + 1, end)));
    tabs.push({ title: (found[2] ?? "").replace(/\\(.)/g, "$1"), body, origin: line.origin });
    sources.push(line.text.trim());
    at = end;
    while (at < lines.length && isBlankLine(lines[at]?.text ?? "")) at += 1;
  }
  const { out, what } = tabLines(place, tabs, end);
  tabs.forEach(({ origin }, at) => {
    const source = sources[at] ?? "";
    place.add({ dialect: "mkdocs", name: source, line: origin, outcome: "mapped", code: "tabs", what, source });
  });
  return { end, out: withBlankLineBelow(indentedLines(indent, out), lines[end]) };
}

/** Keeps `--8<-- "file"`, and a list of files between two such lines, as code. */
export function readSnippet(place: ConstructPlace): RecognizedBlock | undefined {
  const { lines, index } = place;
  const text = lines[index]?.text.trim() ?? "";
  if (!/^(?:--8<--|-{1,}8<-{1,})(?:[ \t]+["'].*["'])?$/.test(text)) return undefined;
  let end = index + 1;
  if (/8<-+$/.test(text)) {
    const close = index + 1 + lines.slice(index + 1, index + 200).findIndex((line) => line.text.trim() === text);
    if (close === index) return undefined;
    end = close + 1;
  }
  return keepAsFencedBlock(place, end, { dialect: "mkdocs", name: "--8<--", code: "snippet" });
}

/** Keeps abbreviations as code: one or more lines like `*[HTML]: …`. */
export function readAbbreviations(place: ConstructPlace): RecognizedBlock | undefined {
  const { lines, index } = place;
  const pattern = /^ {0,3}\*\[[^\]]+\]:[ \t]/;
  let end = index;
  while (pattern.test(lines[end]?.text ?? "")) end += 1;
  if (end === index) return undefined;
  const name = /\*\[[^\]]+\]:/.exec(lines[index]?.text ?? "")?.[0] ?? "*[…]:";
  return keepAsFencedBlock(place, end, { dialect: "mkdocs", name, code: "abbreviation" });
}

/** Keeps `::: package.module` of mkdocstrings as code, with its indented options. */
export function readMkdocstrings(place: ConstructPlace): RecognizedBlock | undefined {
  const { lines, index } = place;
  const found = /^([ \t]*):::[ \t]+([\w-]+(?:\.[\w-]+)+)[ \t]*$/.exec(lines[index]?.text ?? "");
  if (found === null) return undefined;
  const end = indexAfterIndented(lines, index + 1, indentOf(found[1] ?? ""));
  return keepAsFencedBlock(place, end, { dialect: "mkdocs", name: `::: ${found[2] ?? ""}`, code: "directive" });
}

const definition = /^( {0,3}):[ \t]+(?=\S)/;
const noTerm = /^(?:[ \t]{4,}|[ \t]*(?:#|>|\||[-*+][ \t]|\d+[.)][ \t]|:|<|```|~~~|\(.*\)=))/;

/**
 * Reads a term above lines that begin with `:`. The term becomes a list item, and its definitions become items below
 * it.
 */
export function readDefinitions(place: ConstructPlace): RecognizedBlock | undefined {
  const { lines, index } = place;
  const line = lines[index];
  if (line === undefined || isBlankLine(line.text) || noTerm.test(line.text)) return undefined;
  if (!canPrecedeParagraph(lines[index - 1]?.text ?? "")) return undefined;
  let first = index + 1;
  while (first < lines.length && first < index + 4 && isTerm(lines[first]?.text ?? "")) first += 1;
  if (isBlankLine(lines[first]?.text ?? "") && definition.test(lines[first + 1]?.text ?? "")) first += 1;
  if (!definition.test(lines[first]?.text ?? "")) return undefined;
  const terms = lines.slice(index, first).filter(({ text }) => !isBlankLine(text));
  const out: SourceLine[] = terms.map(({ text, origin }) => ({ text: `- ${text.trim()}`, origin }));
  let at = first;
  while (at < lines.length) {
    const next = isBlankLine(lines[at]?.text ?? "") ? at + 1 : at;
    const start = lines[next];
    if (start === undefined || !definition.test(start.text)) break;
    const [mark = ""] = definition.exec(start.text) ?? [];
    const end = endOfDefinition(place, next, mark.length);
    const rest = withoutSharedIndent(lines.slice(next + 1, end));
    const content = place.convert([{ ...start, text: start.text.slice(mark.length) }, ...rest]);
    content.forEach((one, part) => {
      out.push({ ...one, text: one.text === "" ? "" : `${part === 0 ? "  - " : "    "}${one.text}` });
    });
    at = end;
  }
  place.add({
    dialect: "mkdocs",
    name: texts.definitionList({ term: terms[0]?.text.trim() ?? "" }),
    line: line.origin,
    outcome: "mapped",
    code: "definition-list",
    what: texts.list(),
    source: [...terms, lines[first] ?? line].map(({ text }) => text.trim()).join("\n"),
  });
  return { end: at, out: withBlankLineBelow(withoutBlankEnds(out), lines[at]) };
}

/**
 * Tells whether a paragraph can begin directly below this line: it is blank, a heading, the end of code or a target of
 * MyST.
 */
function canPrecedeParagraph(text: string): boolean {
  return (
    isBlankLine(text) || headingDepth(text) > 0 || /^(?:[ \t]*(?:`{3,}|~{3,})[ \t]*|\([^()\s]+\)=[ \t]*)$/.test(text)
  );
}

function isTerm(text: string): boolean {
  return !isBlankLine(text) && !definition.test(text) && !noTerm.test(text);
}

/**
 * Returns the index after a definition, which can have further lines below, indented ones after a blank line, and code.
 * @param width the width of the definition's marker
 */
function endOfDefinition({ lines, isMyst }: ConstructPlace, start: number, width: number): number {
  const least = isMyst ? Math.min(4, width) : 4;
  const head = " ".repeat(width) + (lines[start]?.text.slice(width) ?? "");
  let at = indexAfterFence(lines, start, head) ?? start + 1;
  let isParagraph = at === start + 1;
  while (at < lines.length) {
    const text = lines[at]?.text ?? "";
    if (isBlankLine(text)) {
      const next = lines[at + 1]?.text ?? "";
      if (isBlankLine(next) || indentOf(next) < least) return at;
      isParagraph = false;
      at += 1;
      continue;
    }
    if (definition.test(text)) return at;
    if (indentOf(text) < least && (!isParagraph || startsBlock.test(text))) return at;
    const fence = indexAfterFence(lines, at);
    isParagraph = fence === undefined;
    at = fence ?? at + 1;
  }
  return at;
}

/** Matches lines that begin a new block and so end a paragraph directly above. */
const startsBlock = /^(?:#{1,6}[ \t]|>|[-*+][ \t]|1[.)][ \t]|`{3,}|~{3,})/;
