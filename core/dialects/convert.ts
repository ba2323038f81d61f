/** Converts Markdown extensions of other tools, for imports, `fmt`, `lint --fix` and `push`. */
import type { MessageWithId } from "#core/language/catalog.ts";
import { texts } from "./texts.ts";
import type { ConversionReport } from "#core/import/markdown/report.ts";
import { findHeadingAnchors, readHeadingAttributes, readAnchorTarget, type Anchors } from "./anchors.ts";
import { withBlankLineBelow, headingDepth, indentedLines, keepAsFencedBlock, leadingSpaceOf } from "./boxes.ts";
import { mapCallout, readAside } from "./callouts.ts";
import type { RecognizedBlock, Construct, ConstructPlace, FailedSearchLimit } from "./construct.ts";
import { isMystFence, readDirectiveBlock } from "./directives.ts";
import { withoutDeepIndent } from "./deep-indent.ts";
import { readFieldList } from "./field-lists.ts";
import { readHtmlFigure } from "./figures.ts";
import { findInlineMarkup, type InlineOptions } from "./inline.ts";
import { codeLineFlags, indexAfterFence, isBlankLine, toLines, linesAsText, type SourceLine } from "../text/lines.ts";
import { readMath } from "./math.ts";
import { readMdxComponent, readMdxExpression, readMdxModule } from "./mdx.ts";
import { readMarkdownInHtml } from "./markdown-in-html.ts";
import {
  readAbbreviations,
  readAdmonition,
  readDefinitions,
  readMkdocstrings,
  readSnippet,
  readMkdocsTabs,
} from "./mkdocs.ts";
import { readVitePressInclude, readSlashBlock } from "./slash-blocks.ts";
import { readShortcode } from "./shortcodes.ts";

export interface ConvertedLines {
  lines: SourceLine[];
  /** Constructs in the order of the text. */
  constructs: Construct[];
}

interface DialectScan {
  anchors: Anchors;
  isMyst: boolean;
  isMdx: boolean;
  /** True if the text has boxes or tabs of MkDocs, which nests list items at an indent of four columns. */
  isMkDocs: boolean;
  /** The number of blocks around the text that is scanned. */
  depth: number;
  searches: FailedSearchLimit;
  add(construct: Construct): void;
}

/** The maximum nesting of converted boxes. Deeper boxes stay text, because each level reads its content again. */
const deepest = 20;

/** Matches signs of other dialects. A text without a match is plain Markdown. */
const signs =
  /^[ \t]{4,}(?:`{3}|~{3})|!!!|\?\?\?|===|:::|::?[A-Za-z][\w-]*[[{]|^[ \t>]*::\w|\{|<[A-Za-z!/%]|8<-|\+\+|==|\^|~|\$|\[TOC|\[_TOC|%%|^[ \t>]*>[ \t]*\[!|^ {0,3}:[ \t]|\*\[|^\(.*\)=|^%|^\+|:(?:material|fontawesome|octicons|simple)-|^(?:import|export) |\\[([]|^:[A-Za-z][\w .-]{0,80}:.*\n[ \t]+\S|^[ \t>]*(?:<<<|\/{3,})[ \t]|^[ \t>]*(?:[-*+]|\d+[.)])[ \t]+\[[-/<>!?*]\]|^[!?]>[ \t]/im;

const mystSigns = /^[ \t]*(?:`{3,}|:{3,})\{[\w:.-]+\}|\{[A-Za-z][\w:+.-]*\}`[^`]|^[ \t]*\([^()\s]+\)=[ \t]*$/m;
const mkDocsSigns = /^[ \t]*(?:!!!|\?\?\?\+?|===[!+]?)[ \t]+["\w]/m;
const mdxSigns =
  /^(?:import[ \t].*["'];?[ \t]*$|export[ \t](?:const|default|function))|^[ \t]*<[A-Z]\w*[\s/>]|^[ \t]*\{\/\*/m;

/**
 * Converts constructs of other tools that Markdown has a form for, keeps the others verbatim, and lists them all. Every
 * removed word is reported, and no word is added.
 * @param others targets of MyST in other documents of the import
 */
export function convertDialects(lines: readonly SourceLine[], others: Anchors = new Map()): ConvertedLines {
  const text = linesAsText(lines);
  if (!signs.test(text)) return { lines: [...lines], constructs: [] };
  const constructs: Construct[] = [];
  const isMyst = mystSigns.test(text);
  const scan: DialectScan = {
    anchors: isMyst ? findHeadingAnchors(lines) : new Map(),
    isMyst,
    isMdx: mdxSigns.test(text),
    isMkDocs: mkDocsSigns.test(text),
    depth: 0,
    searches: { left: 100, unpaired: new WeakMap() },
    add: (construct) => constructs.push(construct),
  };
  const blocks = convertBlocks(lines, scan, false);
  const mapped = mapInlineMarkup(blocks, { ...scan, anchors: new Map([...others, ...scan.anchors]) });
  return { lines: mapped, constructs: constructs.toSorted((a, b) => a.line - b.line) };
}

/** Converts a text. `firstLine` is the line of the file in which the text begins. */
export function convertDialectsInText(
  body: string,
  firstLine = 1,
  others?: Anchors,
): { text: string; constructs: Construct[] } {
  const { lines, constructs } = convertDialects(toLines(body, firstLine), others);
  return { text: linesAsText(lines), constructs };
}

/** Returns a sentence with the name of a construct and its outcome. */
export const constructSentence = ({ name, what }: Pick<Construct, "name" | "what">): MessageWithId =>
  texts.construct({ name, what });

const mostNotes = 2_000;

/** Reports the constructs, each text of a line once. Above 2,000 notes, only the number of the others is reported. */
export function reportConstructs(constructs: readonly Construct[], report: ConversionReport): void {
  const said = new Set<string>();
  for (const construct of constructs) {
    const { code, line } = construct;
    // an HTML element that stays is shown as written in views, so it needs no note
    if (construct.dialect === "html" && construct.what.id === texts.kept().id) continue;
    const message = constructSentence(construct);
    if (said.has(`${line} ${message.text}`)) continue;
    said.add(`${line} ${message.text}`);
    if (said.size > mostNotes) {
      report.add(code, texts.more({ count: constructs.length - mostNotes }), line);
      break;
    }
    report.add(code, message, line);
  }
}

/** Matches a template tag alone on a line. */
const ownTag = /^(?:\{%.*%\}|\{\{[<%#/^].*\}\}|<%.*%>)[ \t]*$/;

/** Matches a line that MkDocs or mdBook replaces by the content of a file. */
const included = /^[ \t>]*-+8<-+[ \t]+["'].*|\{\{\s*#(?:include|rustdoc_include|playground)\s[^}\n]*\}\}/;

function reportIncludedFiles(block: readonly SourceLine[], { add }: DialectScan): void {
  for (const { text, origin } of block) {
    const source = included.exec(text)?.[0].trim();
    if (source === undefined) continue;
    const what = texts.keptInCode();
    add({ dialect: "mkdocs", name: source, line: origin, outcome: "reported", code: "snippet", what, source });
  }
}

function convertBlocks(written: readonly SourceLine[], scan: DialectScan, inside: boolean): SourceLine[] {
  const lines = withoutDeepIndent(written, scan);
  const code = codeLineFlags(lines);
  const out: SourceLine[] = [];
  let heading = 0;
  let inItem = false;
  for (let index = 0; index < lines.length;) {
    const line = lines[index];
    if (line === undefined) break;
    const fence = indexAfterFence(lines, index);
    if (fence === undefined ? code[index] && !/^[ \t]*>/.test(line.text) : !isMystFence(line.text)) {
      const end = fence ?? index + 1;
      const block = lines.slice(index, end);
      reportIncludedFiles(block, scan);
      out.push(...block);
      index = end;
      continue;
    }
    if (/^(?:[-*+]|\d{1,9}[.)])[ \t]/.test(line.text)) inItem = true;
    else if (/^\S/.test(line.text) && isBlankLine(lines[index - 1]?.text ?? "")) inItem = false;
    const place: ConstructPlace = {
      lines,
      index,
      inside: inside || (inItem && /^[ \t]/.test(line.text)),
      inItem: inItem && /^[ \t]/.test(line.text),
      heading,
      isMyst: scan.isMyst,
      add: scan.add,
      searches: scan.searches,
      convert: (body) =>
        scan.depth > deepest ? [...body] : convertBlocks(body, { ...scan, depth: scan.depth + 1 }, true),
    };
    const block = readDialectBlock(place, scan);
    if (block === undefined) {
      // add a blank line, because a tag directly below a list item would become part of the item
      if (ownTag.test(line.text) && /^(?:[ \t]|[-*+][ \t]|\d{1,9}[.)][ \t])/.test(out.at(-1)?.text ?? "") && inItem) {
        if (!isBlankLine(out.at(-1)?.text ?? "")) out.push({ text: "", origin: line.origin });
        inItem = false;
      }
      // add a blank line, because a list that doesn't begin with 1 can't begin directly below a paragraph
      if (ownTag.test(out.at(-1)?.text ?? "") && /^\d{1,9}[.)][ \t]/.test(line.text)) {
        out.push({ text: "", origin: line.origin });
      }
      heading = headingDepth(line.text) || heading;
      out.push(line);
      index += 1;
    } else {
      const above = out.at(-1);
      const first = block.out[0];
      // add a blank line between a box and the text above it
      if (above !== undefined && !isBlankLine(above.text) && first !== undefined && first.text !== line.text) {
        out.push({ text: "", origin: line.origin });
      }
      out.push(...block.out);
      index = Math.max(block.end, index + 1);
    }
  }
  return out;
}

function readDialectBlock(place: ConstructPlace, scan: DialectScan): RecognizedBlock | undefined {
  const text = place.lines[place.index]?.text ?? "";
  if (isBlankLine(text)) return undefined;
  if (/^[ \t]*>/.test(text)) return readDialectQuote(place, scan);
  return (
    readAdmonition(place) ??
    readMkdocsTabs(place) ??
    readSnippet(place) ??
    readVitePressInclude(place) ??
    readSlashBlock(place) ??
    readFieldList(place) ??
    readAbbreviations(place) ??
    readMkdocstrings(place) ??
    readDirectiveBlock(place) ??
    readAside(place) ??
    readHeadingAttributes(place) ??
    readMarkdownInHtml(place) ??
    readHtmlFigure(place) ??
    readShortcode(place) ??
    readMdxModule(place) ??
    (scan.isMdx ? readMdxExpression(place) : undefined) ??
    readMdxComponent(place) ??
    (scan.isMyst ? (readAnchorTarget(place, scan.anchors) ?? readMystLine(place)) : undefined) ??
    readMath(place) ??
    readGridTable(place) ??
    readDefinitions(place)
  );
}

/**
 * Converts the content of a quote like a separate text. If the quote contains no construct, its bytes stay unchanged.
 */
function readDialectQuote(place: ConstructPlace, scan: DialectScan): RecognizedBlock | undefined {
  const { lines, index } = place;
  let end = index;
  while (end < lines.length && /^[ \t]*>/.test(lines[end]?.text ?? "")) end += 1;
  if (scan.depth > deepest) return { end, out: lines.slice(index, end) };
  const own = lines.slice(index, end);
  const indent = leadingSpaceOf(own[0]?.text ?? "");
  const inner = own.map((line) => ({ ...line, text: line.text.replace(/^[ \t]*> ?/, "") }));
  let found = 0;
  const addConstruct = (construct: Construct) => {
    found += 1;
    scan.add(construct);
  };
  const head = mapCallout(inner, addConstruct);
  const out = convertBlocks(head, { ...scan, depth: scan.depth + 1, add: addConstruct }, true);
  if (found === 0) return { end, out: own };
  const quoted = out.map((line) => ({ ...line, text: line.text === "" ? ">" : `> ${line.text}` }));
  return { end, out: indentedLines(indent, quoted) };
}

/** Reads MyST's comments (`% a comment`) and block breaks (`+++`). */
function readMystLine(place: ConstructPlace): RecognizedBlock | undefined {
  const { lines, index, add } = place;
  const line = lines[index];
  if (line === undefined) return undefined;
  const about = { dialect: "myst", line: line.origin, outcome: "mapped" } as const;
  const end = index + 1;
  if (/^%(?:[ \t]|$)/.test(line.text)) {
    const words = line.text.slice(1).trim();
    const what = texts.comment();
    if (words.includes("--") || words.startsWith(">")) return undefined;
    add({ ...about, name: texts.mystComment(), code: "comment", what, source: line.text });
    return {
      end,
      out: withBlankLineBelow([{ text: `<!-- ${words} -->`, origin: line.origin, isOurs: true }], lines[end]),
    };
  }
  if (!/^\+\+\+(?:[ \t]|$)/.test(line.text)) return undefined;
  if (line.text.trim() !== "+++") {
    return keepAsFencedBlock(place, end, { dialect: "myst", name: "+++", code: "directive" });
  }
  add({ ...about, name: "+++", code: "directive", what: texts.rule(), source: "+++" });
  return { end, out: withBlankLineBelow([{ text: "---", origin: line.origin }], lines[end]) };
}

/** Keeps a table drawn with `+---+` as code, because Markdown would join its lines into one paragraph. */
function readGridTable(place: ConstructPlace): RecognizedBlock | undefined {
  const { lines, index } = place;
  if (!/^[ \t]*\+(?:[-=:]{3,}\+)+[ \t]*$/.test(lines[index]?.text ?? "")) return undefined;
  let end = index + 1;
  while (/^[ \t]*[+|]/.test(lines[end]?.text ?? "")) end += 1;
  return keepAsFencedBlock(place, end, { dialect: "pandoc", name: texts.gridTable(), code: "grid-table" });
}

function mapInlineMarkup(lines: SourceLine[], { anchors, isMyst, isMdx, add }: DialectScan): SourceLine[] {
  const found = findInlineMarkup(lines, { anchors, isMyst, isMdx });
  if (found.length === 0) return lines;
  const starts: number[] = [];
  let at = 0;
  for (const { text } of lines) {
    starts.push(at);
    at += text.length + 1;
  }
  const text = linesAsText(lines);
  const edits: { start: number; end: number; replacement: string }[] = [];
  let row = 0;
  for (const one of found) {
    while ((starts[row + 1] ?? Infinity) <= one.start) row += 1;
    const origin = lines[row]?.origin ?? 1;
    const { start, end, replacement, source } = one;
    const construct = { dialect: one.dialect, code: one.code, name: one.name, source, line: origin };
    // the replacement must have as many lines as the source, because reports contain line numbers
    if (replacement !== undefined && replacement.split("\n").length === source.split("\n").length) {
      edits.push({ start, end, replacement });
      add({ ...construct, outcome: one.outcome, what: one.what });
    } else if (replacement !== undefined) add({ ...construct, outcome: "kept", what: texts.kept() });
    else add({ ...construct, outcome: one.outcome, what: one.what });
  }
  let mapped = "";
  let done = 0;
  for (const { start, end, replacement } of edits) {
    mapped += text.slice(done, start) + replacement;
    done = end;
  }
  mapped += text.slice(done);
  return mapped.split("\n").map((written, index) => ({ origin: 1, ...lines[index], text: written }));
}

/** Returns the options for `findInlineMarkup` on a text that was converted already. */
export function inlineOptionsAfterConversion(text: string): InlineOptions {
  return { anchors: new Map(), isMyst: false, isMdx: mdxSigns.test(text) };
}
