/** Reads `/// name | title` of MkDocs (`pymdownx.blocks`), and `<<< file` of VitePress. */
import { texts, withOmitted } from "./texts.ts";
import type { MessageWithId } from "#core/language/catalog.ts";
import { alertKindForWord } from "../markdown/alert-kinds.ts";
import {
  alertLines,
  withBlankLineBelow,
  foldedLines,
  indentedLines,
  keepAsFencedBlock,
  leadingSpaceOf,
  tabLines,
  omittedAttributesText,
  type ForeignBox,
} from "./boxes.ts";
import type { RecognizedBlock, ConstructPlace } from "./construct.ts";
import { withoutIndent, fencedLineFlags, indentOf, isBlankLine, type SourceLine } from "../text/lines.ts";

interface SlashBlock {
  name: string;
  title: string | undefined;
  options: Map<string, string>;
  body: SourceLine[];
  end: number;
  origin: number;
  opening: string;
}

const opening = /^[ \t]*(\/{3,})[ \t]*([a-z][\w-]*)[ \t]*(?:\|[ \t]*(.*?))?[ \t]*$/;

/**
 * Reads a block up to its closing line. A block inside another one has more slashes, so its closing line differs.
 * @returns undefined if no block begins here; null if the block has no closing line
 */
function slashBlockAt(lines: readonly SourceLine[], index: number): SlashBlock | null | undefined {
  const line = lines[index];
  const [, mark, name = "", title] = opening.exec(line?.text ?? "") ?? [];
  if (line === undefined || mark === undefined) return undefined;
  const fenced = fencedLineFlags(lines);
  let close = index + 1;
  while (close < lines.length && (fenced[close] || lines[close]?.text.trim() !== mark)) close += 1;
  if (close === lines.length) return null;
  const indent = indentOf(line.text);
  const body = lines.slice(index + 1, close).map((one) => ({ ...one, text: withoutIndent(one.text, indent) }));
  const options = new Map<string, string>();
  let at = 0;
  for (; at < body.length; at += 1) {
    const [, key = "", value = ""] = /^ {4,}([\w-]+):[ \t]*(.*?)[ \t]*$/.exec(body[at]?.text ?? "") ?? [];
    if (key === "") break;
    options.set(key, value.replace(/^(["'])(.*)\1$/, "$2"));
  }
  const about = { name, title: title === "" ? undefined : title, options, origin: line.origin };
  return { ...about, body: body.slice(at), end: close + 1, opening: line.text.trim() };
}

/**
 * Converts warnings, details and tabs to Markdown, and keeps other blocks as code. `findInlineMarkup` reports a block
 * without an end.
 */
export function readSlashBlock(place: ConstructPlace): RecognizedBlock | undefined {
  const { lines, index } = place;
  if (place.searches.left <= 0) return undefined;
  const found = slashBlockAt(lines, index);
  if (found === undefined) return undefined;
  if (found === null) {
    place.searches.left -= 1;
    return undefined;
  }
  const indent = leadingSpaceOf(lines[index]?.text ?? "");
  if (found.name === "tab") return readSlashTabs(place, found, indent);
  const mapped = mapSlashBlock(place, found);
  if (mapped === undefined) {
    return keepAsFencedBlock(place, found.end, { dialect: "mkdocs", name: `/// ${found.name}`, code: "directive" });
  }
  reportMappedBlock(place, found, mapped.what, mapped.used);
  return { end: found.end, out: withBlankLineBelow(indentedLines(indent, mapped.out), lines[found.end]) };
}

function reportMappedBlock(
  place: ConstructPlace,
  found: SlashBlock,
  what: MessageWithId,
  used: readonly string[],
): void {
  const code = found.name === "tab" ? "tabs" : "admonition";
  place.add({
    dialect: "mkdocs",
    name: `/// ${found.name}`,
    line: found.origin,
    outcome: "mapped",
    code,
    what: withOmitted(what, omittedAttributesText(found.options, used)),
    source: found.opening,
  });
}

function mapSlashBlock(
  place: ConstructPlace,
  { name, title, options, body, origin }: SlashBlock,
): { out: SourceLine[]; what: MessageWithId; used: readonly string[] } | undefined {
  const word = name === "admonition" || name === "details" ? options.get("type") : name;
  const kind = alertKindForWord(word ?? "note") ?? "NOTE";
  if (name === "details") {
    const box: ForeignBox = { title, word, body: place.convert(body), origin };
    return { ...foldedLines(kind, box, options.get("open")?.toLowerCase() === "true"), used: ["open", "type"] };
  }
  if (name !== "admonition" && alertKindForWord(name) === undefined) return undefined;
  const out = alertLines(kind, { title, word, body: place.convert(body), origin });
  return { out, what: texts.alert({ kind }), used: name === "admonition" ? ["type"] : [] };
}

/** Reads neighboring tabs as one group, until a tab says that it begins a new group. */
function readSlashTabs(place: ConstructPlace, first: SlashBlock, indent: string): RecognizedBlock {
  const tabs = [first];
  let { end } = first;
  for (;;) {
    let at = end;
    while (at < place.lines.length && isBlankLine(place.lines[at]?.text ?? "")) at += 1;
    const next = slashBlockAt(place.lines, at);
    if (next?.name !== "tab" || next.options.get("new") === "true") break;
    tabs.push(next);
    end = next.end;
  }
  const boxes = tabs.map(({ title, body, origin }) => ({ title: title ?? "Tab", body: place.convert(body), origin }));
  const { out, what } = tabLines(place, boxes, end);
  for (const tab of tabs) reportMappedBlock(place, tab, what, ["new", "select"]);
  return { end, out: withBlankLineBelow(indentedLines(indent, out), place.lines[end]) };
}

/** Keeps `<<< @/snippets/a.js{2}`, the include of a code file, as code. */
export function readVitePressInclude(place: ConstructPlace): RecognizedBlock | undefined {
  if (!/^[ \t]*<<<[ \t]+\S/.test(place.lines[place.index]?.text ?? "")) return undefined;
  return keepAsFencedBlock(place, place.index + 1, { dialect: "container", name: "<<<", code: "snippet" });
}
