/** `sop import --split heading`: splits a document of an import into several at its headings. */
import type { Heading, Root } from "mdast";
import GithubSlugger from "github-slugger";
import { messageAndReasonOf } from "#core/language/catalog.ts";
import { texts } from "../markdown/note-texts.ts";
import type { PreparedDocument } from "#core/import/converter.ts";
import { convertFrontMatter } from "#core/import/markdown/foreign-front-matter.ts";
import { readHeader } from "#core/import/markdown/markdown-file.ts";
import { createReport, type ConversionReport, type ReportLine } from "#core/import/markdown/report.ts";
import { headingText, titleFromHeadingOrFileName } from "#core/import/markdown/titles.ts";
import type { DocumentLink } from "#core/import/rewrite-links.ts";
import { assetAddress } from "#core/import/stored-files.ts";
import { addressesInMarkdown } from "#core/markdown/addresses.ts";
import { fileTextOf, type FrontMatter } from "#core/markdown/front-matter.ts";
import { limits } from "#core/limits.ts";
import { assertParsable } from "#core/markdown/limits.ts";
import { eachNode, parseMarkdown } from "#core/markdown/parse.ts";
import { createAnchorFinder } from "./anchors.ts";
import {
  isOffsetInRange,
  endOffsetOf,
  findSplitHeadings,
  startOffsetOf,
  partTitleOf,
  type SplitHeadings,
  type OffsetRange,
} from "./cuts.ts";
import { definitionsByPart } from "./references.ts";

export interface SplitPart extends PreparedDocument {
  /**
   * The name of the part, unique in its file; null for the text before the first heading, which keeps the file's path.
   */
  slug: string | null;
  /** The difference between line numbers in the file and in the part. */
  lineShift: number;
}

export interface SplitResult {
  parts: SplitPart[];
  /** Returns the new target of a link to the whole file: a part and a fragment. */
  target(fragment: string): { path: string; fragment: string };
}

/** Front matter keys that parts don't get from the file: the SOP's numbers, title, description and reading time. */
const ownKeys = ["id", "sop", "number", "version", "title", "description", "read_minutes"] as const;
/** The maximum length of a slug, because names of files have at most 255 bytes. */
const slugCharacters = 60;

/**
 * Splits a document at the highest heading level that occurs more than once. Each part gets the file's front matter
 * with its own title, the definitions and footnotes that it uses, and correct links to headings in other parts.
 *
 * @returns undefined if no heading level occurs twice
 * @throws AppError for front matter that can't be read
 */
export function splitDocument(
  prepared: PreparedDocument,
  sha256: (data: Uint8Array | string) => string,
): SplitResult | undefined {
  const { path, text, links } = withPlainLines(prepared);
  const report = createReport(path);
  const { values, body, lineOf: lineOfKey } = readHeader(text, report);
  const bodyAt = text.length - body.length;
  assertParsable(body, limits.splitSource);
  const tree = parseMarkdown(body);
  const cuts = findSplitHeadings(tree);
  if (cuts === undefined) return undefined;
  const frontMatter = convertFrontMatter(values, report, lineOfKey);
  const plans = partPlansOf({ body, tree, cuts, frontMatter, path }, report);
  const shared = sharedFrontMatter(frontMatter, report);
  const partAt = (offset: number) =>
    Math.max(
      0,
      plans.findIndex(({ covers }) => covers.some((range) => isOffsetInRange(range, offset))),
    );
  const anchorOf = createAnchorFinder(tree, partAt, new Set(plans.flatMap(({ dropped }) => dropped)));
  const pathOf = (part: number) => plans[part]?.path ?? path;
  const definitions = definitionsByPart(
    tree,
    plans.map(({ covers }) => covers),
  );
  const ownLinks = links.map((link) => ({ ...link, start: link.start - bodyAt, end: link.end - bodyAt }));
  const anchors = addressesInMarkdown(body, tree).filter(
    ({ url, start }) => url.startsWith("#") && start !== -1 && !/=\s*$/.test(body.slice(Math.max(0, start - 5), start)),
  );
  const raised = headingRaises(tree, body, cuts.level - 1);
  const lineOf = createLineCounter(text);

  const parts = plans.map((plan, index): SplitPart => {
    const { removed, added } = definitions[index] ?? { removed: [], added: [] };
    const ranges = [...plan.covers, ...added];
    // filter before sorting, because there can be thousands of parts with few edits each
    const isHere = ({ start }: { start: number }) => ranges.some((range) => isOffsetInRange(range, start));
    const edits: SplitEdit[] = [
      ...ownLinks.filter(isHere).map(({ start, end, ...to }) => ({ start, end, put: to })),
      ...anchors.filter(isHere).flatMap(({ url, start }): SplitEdit[] => {
        const to = anchorOf(url);
        if (to === undefined) return [];
        const { part, fragment } = to;
        const isOwn = part === index && fragment !== "";
        return [{ start, end: start + url.length, put: isOwn ? fragment : { path: pathOf(part), fragment } }];
      }),
      ...[...removed, ...plan.dropped.map((node): OffsetRange => [startOffsetOf(node), endOffsetOf(node)])].map(
        ([start, end]) => ({
          start,
          end,
          put: "",
        }),
      ),
      ...(plan.slug === null ? [] : raised.filter(isHere)),
    ];
    const front = fileTextOf({ ...shared, ...plan.frontMatter }, "");
    const written = textOfEditedRanges(body, ranges, edits, front);
    const own = written.links.map((link) => `${link.path}${link.fragment}`);
    const start = textStartOfPart(body, plan);
    const used = prepared.files.filter((file) => written.text.includes(assetAddress(file)));
    return {
      path: plan.path,
      slug: plan.slug,
      ...written,
      sha256: sha256([written.text, ...own].join("\n")),
      files: used,
      notes: [],
      lineShift: lineOf(bodyAt + start) - front.split("\n").length,
    };
  });
  const starts = plans.map(({ covers }) => lineOf(bodyAt + Math.min(...covers.map(([start]) => start))));
  addNotesToParts(parts, starts, [...prepared.notes, ...report.lines]);
  return {
    parts,
    target: (fragment) => {
      const to = anchorOf(fragment);
      return to === undefined ? { path: pathOf(0), fragment } : { path: pathOf(to.part), fragment: to.fragment };
    },
  };
}

/** Assigns each note to the part that contains its line, and notes without a line to the first part. */
function addNotesToParts(parts: readonly SplitPart[], starts: readonly number[], notes: readonly ReportLine[]): void {
  for (const note of notes) {
    const { line = 0 } = note;
    const part =
      parts[
        Math.max(
          0,
          starts.findLastIndex((start) => start <= line),
        )
      ];
    part?.notes.push({ ...note, path: part.path });
  }
}

/** Returns a document with new targets for links to files of the import that were split. */
export function withLinksToParts<Document extends PreparedDocument>(
  document: Document,
  cut: ReadonlyMap<string, SplitResult>,
): Document {
  if (!document.links.some(({ path }) => cut.has(path))) return document;
  const links = document.links.map((link) => {
    const to = cut.get(link.path)?.target(link.fragment);
    return to === undefined ? link : { ...link, ...to };
  });
  return { ...document, links };
}

/** Returns the note for a document that can't be split. */
export function notSplitNote(path: string): ReportLine {
  return { path, code: "headings", ...messageAndReasonOf(texts.whole()) };
}

interface PartPlan {
  slug: string | null;
  path: string;
  frontMatter: FrontMatter;
  /** The part's text, as ranges of the body. */
  covers: OffsetRange[];
  /** Headings that became the part's title. */
  dropped: Heading[];
}

interface SplitSource {
  body: string;
  tree: Root;
  cuts: SplitHeadings;
  frontMatter: FrontMatter;
  path: string;
}

function partPlansOf({ body, tree, cuts, frontMatter, path }: SplitSource, report: ConversionReport): PartPlan[] {
  const slugger = new GithubSlugger();
  const starts = cuts.headings.map((heading) => lineStart(body, startOffsetOf(heading)));
  const parts = cuts.headings.map((heading, index): PartPlan => {
    const title = partTitleOf(heading);
    const words = [...new GithubSlugger().slug(title)].slice(0, slugCharacters).join("");
    const slug = slugger.slug(/[\p{L}\p{N}]/u.test(words) ? words : "part");
    return {
      slug,
      path: `${path}#${slug}`,
      frontMatter: { title },
      covers: [[starts[index] ?? 0, starts[index + 1] ?? body.length]],
      dropped: [heading],
    };
  });
  const [first] = parts;
  const before: OffsetRange = [0, starts[0] ?? 0];
  const nodes = tree.children.filter(
    (node) => startOffsetOf(node) < before[1] && node.type !== "definition" && node.type !== "footnoteDefinition",
  );
  const named = nodes[0]?.type === "heading" && nodes[0].depth < cuts.level ? nodes[0] : undefined;
  const rest = nodes.filter((node) => node !== named);
  const isLine = rest.every(({ position }) => position?.start.line === position?.end.line) && rest.length <= 1;
  const isTitle = named !== undefined && [undefined, headingText(named)].includes(frontMatter.title);
  const title =
    frontMatter.title ??
    titleFromHeadingOrFileName({ type: "root", children: named === undefined ? [] : [named] }, path);
  if (first === undefined) return parts;
  if (!isLine) {
    const { description } = frontMatter;
    const own = { title, ...(description !== undefined && { description }) };
    const dropped = isTitle && named !== undefined ? [named] : [];
    return [{ slug: null, path, frontMatter: own, covers: [before], dropped }, ...parts];
  }
  first.covers.unshift(before);
  if (named !== undefined) first.dropped.push(named);
  const names = new Set([frontMatter.title, named === undefined ? undefined : headingText(named)]);
  for (const name of names) {
    if (name !== undefined) report.add("title", texts.fileTitle({ name }));
  }
  return parts;
}

function sharedFrontMatter(all: FrontMatter, report: ConversionReport): FrontMatter {
  const shared = { ...all };
  for (const key of ownKeys) delete shared[key];
  const left = ownKeys.filter((key) => key !== "title" && Object.hasOwn(all, key));
  if (left.length > 0) report.add("front-matter", texts.ownKeys({ keys: left.join(", ") }));
  return shared;
}

interface SplitEdit {
  start: number;
  end: number;
  put: string | Pick<DocumentLink, "path" | "fragment">;
}

/** Returns edits that raise headings by `levels`, but not above level 2. */
function headingRaises(tree: Root, body: string, levels: number): SplitEdit[] {
  const edits: SplitEdit[] = [];
  eachNode(tree, (node) => {
    const start = startOffsetOf(node);
    if (node.type !== "heading" || body[start] !== "#") return;
    const end = start + node.depth - Math.max(Math.min(2, node.depth), node.depth - levels);
    if (end > start) edits.push({ start, end, put: "" });
  });
  return edits;
}

/** Returns the text of the ranges with all edits applied. */
function textOfEditedRanges(body: string, ranges: readonly OffsetRange[], edits: readonly SplitEdit[], front: string) {
  const links: DocumentLink[] = [];
  // sort removals before the edits inside them, which are dropped
  const sorted = edits.toSorted((one, other) => one.start - other.start || other.end - one.end);
  let text = "";
  const addPiece = (piece: string) => {
    const isStart = text === "" || text.endsWith("\n\n");
    text += isStart ? piece.replace(/^(?:[ \t]*\n)+/, "") : piece;
  };
  for (const [from, to] of ranges) {
    if (text !== "") text = `${text.trimEnd()}\n\n`;
    let done = from;
    for (const { start, end, put } of sorted) {
      if (start < done || end > to) continue;
      addPiece(body.slice(done, start));
      if (typeof put === "string") addPiece(put);
      else {
        const at = front.length + text.length;
        links.push({ start: at, end: at + end - start, ...put });
        addPiece(body.slice(start, end));
      }
      done = end;
    }
    addPiece(body.slice(done, to));
  }
  text = text.trimEnd();
  return { text: front + (text === "" ? "" : `${text}\n`), links };
}

/**
 * Returns the document with LF line ends and without a byte order mark, because offsets in front matter and tree count
 * without them.
 */
function withPlainLines({ path, text, links }: PreparedDocument): Pick<PreparedDocument, "path" | "text" | "links"> {
  const plainLines = (part: string) => part.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
  if (plainLines(text) === text) return { path, text, links };
  const plainOffset = (at: number) => plainLines(text.slice(0, at)).length;
  return {
    path,
    text: plainLines(text),
    links: links.map((link) => ({ ...link, start: plainOffset(link.start), end: plainOffset(link.end) })),
  };
}

/** Returns the offset at which the text of a part begins below the part's heading. */
function textStartOfPart(body: string, { covers, dropped }: PartPlan): number {
  const [start = 0, end = 0] = covers.at(-1) ?? [];
  const heading = dropped.find((node) => isOffsetInRange([start, end], startOffsetOf(node)));
  const from = heading === undefined ? start : endOffsetOf(heading);
  return from + (/^\s*\n/.exec(body.slice(from, end))?.[0].length ?? 0);
}

function lineStart(text: string, at: number): number {
  return text.lastIndexOf("\n", at - 1) + 1;
}

/**
 * Creates a function that returns the line of an offset. Line starts are searched only once, because a text can have
 * thousands of parts.
 */
function createLineCounter(text: string): (at: number) => number {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return (at) => {
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= at) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}
