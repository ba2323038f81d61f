/**
 * Replaces addresses in a Markdown file: images and files get the addresses of stored ones, and links to other
 * documents are listed with their positions.
 */
import { limits } from "#core/limits.ts";
import { addressesInMarkdown } from "#core/markdown/addresses.ts";
import { assertParsable } from "#core/markdown/limits.ts";
import { eachNode, parseMarkdown } from "#core/markdown/parse.ts";
import { constructNameOf, isKeptAsWritten, type ConversionReport } from "#core/import/markdown/report.ts";
import { joinedByCommas, type MessageWithId } from "#core/language/catalog.ts";
import { linkTexts, nameWithLines } from "./link-texts.ts";
import { isAddressOfSourceFile, splitAddress } from "#core/links/link-targets.ts";
import { templateLink, wikiLink } from "./targets.ts";

/** A link in a text to another document of the import. */
export interface DocumentLink {
  start: number;
  end: number;
  /** The path of the other document. */
  path: string;
  fragment: string;
}

/**
 * The target of an address; undefined if the address leads nowhere. `isLost` means that the document lacks the heading.
 */
export type ResolvedLink =
  | { kind: "asset"; url: string }
  | { kind: "document"; path: string; fragment?: string; isLost?: boolean }
  /** A heading of the same text. */
  | { kind: "here"; fragment: string }
  /** A file that can't be stored, with the reason; without a reason, a file that doesn't exist. */
  | { kind: "missing"; what?: MessageWithId }
  /** A document that the import refuses. */
  | { kind: "refused" }
  | undefined;

export interface LinkResolver {
  /**
   * Finds the target of an address as written; `isImage` is true for an image. Returns undefined if the address leads
   * nowhere.
   */
  resolve(url: string, isImage: boolean): ResolvedLink;
  /** Finds the target of a name in a wiki link. */
  named(name: string): ResolvedLink;
  /**
   * Finds the heading for a fragment of the same text, both with `#`; undefined without such a heading. If the function
   * is absent, fragments aren't changed.
   */
  here?(fragment: string): string | undefined;
  /**
   * Tells whether a document has a heading of this name. If the function is absent, every heading counts as existing.
   */
  hasHeading?(path: string, fragment: string): boolean;
  /** Returns the link text for a document to which a wiki link refers by its file name. */
  titleOf?(path: string): string | undefined;
}

/** Returns the lines of the file that contain an address as written. */
export type LinesOf = (written: string) => readonly number[];

function fragmentOfSameDocument(url: string, { here }: LinkResolver): ResolvedLink {
  const found = here?.(url);
  return found === undefined ? undefined : { kind: "here", fragment: found };
}

/** Collects links that an import can't resolve, and reports one note for each kind, with all places. */
class LostLinks {
  private readonly kinds: Record<LostKind, Map<string, number>> = {
    problem: new Map(),
    file: new Map(),
    link: new Map(),
    refused: new Map(),
    heading: new Map(),
    wiki: new Map(),
    embed: new Map(),
  };
  /** Reasons why files can't be stored, by the text of the reason. */
  private readonly problems = new Map<string, MessageWithId>();
  /** The displayed name of each wiki link, by its written form. */
  private readonly names = new Map<string, string>();

  /** Records a link. @param isUnreadable true if the text writes the address in a form that can't be replaced */
  addLink(url: string, resolved: ResolvedLink, isUnreadable: boolean): void {
    if (resolved === undefined) this.countLink(url.startsWith("#") ? "heading" : "link", url);
    else if (resolved.kind === "missing") {
      if (resolved.what === undefined) this.countLink("file", url);
      else {
        this.problems.set(resolved.what.text, resolved.what);
        this.countLink("problem", resolved.what.text, url);
      }
    } else if (resolved.kind === "refused") this.countLink("refused", url);
    else if (isUnreadable) this.countLink("link", url);
    else if (resolved.kind === "document" && resolved.isLost) this.countLink("heading", url);
  }

  addWikiLink(kind: "wiki" | "heading" | "embed", link: string, name = link): void {
    this.countLink(kind, link, name);
  }

  private countLink(kind: LostKind, url: string, name?: string): void {
    this.kinds[kind].set(url, (this.kinds[kind].get(url) ?? 0) + 1);
    if (name !== undefined) this.names.set(url, name);
  }

  reportTo(report: ConversionReport, linesOf: LinesOf): void {
    for (const [text, what] of this.problems) report.add("image", what, linesOf(this.names.get(text) ?? text)[0]);
    for (const [kind, code] of lostKinds) {
      const urls = this.kinds[kind];
      const [first] = urls.keys();
      if (first === undefined) continue;
      const total = [...urls.values()].reduce((sum, count) => sum + count, 0);
      const nameOf = (url: string) => this.names.get(url) ?? (kind === "file" ? splitAddress(url).path : url);
      const places = [...urls.keys()].map((url) => nameWithLines(nameOf(url), linesOf(url)));
      const links = total === 1 ? nameOf(first) : joinedByCommas(places);
      report.add(code, linkTexts[kind]({ count: total, links }), linesOf(first)[0]);
    }
  }
}

type LostKind = "problem" | keyof typeof linkTexts;

/** Kinds of lost links, in the order of their notes. */
const lostKinds = [
  ["file", "image"],
  ["link", "link"],
  ["refused", "link"],
  ["heading", "link"],
  ["wiki", "link"],
  ["embed", "snippet"],
] as const;

interface LinkRewrite {
  start: number;
  end: number;
  /** Pieces of text, and links to documents. */
  pieces: (string | { path: string; fragment: string; url: string })[];
}

export interface Rewritten {
  text: string;
  links: DocumentLink[];
}

/**
 * Replaces addresses outside of code, and reports links that lead nowhere. @throws AppError `unprocessable` if the text
 * can't be parsed
 * @param linesOf returns the lines of an address in the user's file
 */
export function rewriteLinks(
  text: string,
  resolver: LinkResolver,
  report: ConversionReport,
  linesOf: LinesOf = () => [],
): Rewritten {
  const start = bodyStart(text);
  const body = text.slice(start);
  assertParsable(body, limits.splitSource);
  const tree = parseMarkdown(body);
  const edits: LinkRewrite[] = [];
  const code: [number, number][] = [];
  const lost = new LostLinks();
  const rewriteAddress = (at: number, url: string, isImage: boolean) => {
    const isHere = url.startsWith("#") && resolver.here !== undefined && url !== "#" && url !== "#top";
    if (!isHere && !isAddressOfSourceFile(url)) return;
    const resolved = isHere ? fragmentOfSameDocument(url, resolver) : resolver.resolve(url, isImage);
    lost.addLink(url, resolved, at === -1);
    if (at === -1 || resolved === undefined || resolved.kind === "missing" || resolved.kind === "refused") return;
    const piece =
      resolved.kind === "asset"
        ? resolved.url
        : resolved.kind === "here"
          ? resolved.fragment
          : { path: resolved.path, fragment: resolved.fragment ?? splitAddress(url).fragment, url };
    if (piece === url) return;
    // add quotes, because in Markdown an HTML attribute without quotes can't contain a slash
    const quotes = /=\s*$/.test(body.slice(Math.max(0, at - 5), at)) ? ['"'] : [];
    edits.push({ start: at, end: at + url.length, pieces: [...quotes, piece, ...quotes] });
  };
  for (const { url, start: at, kind } of addressesInMarkdown(body, tree)) rewriteAddress(at, url, kind === "image");
  eachNode(tree, (node) => {
    if (node.type === "code" || node.type === "inlineCode" || node.type === "html")
      code.push([node.position?.start.offset ?? 0, node.position?.end.offset ?? 0]);
  });
  const tags = templateLinkEdits(body, code, resolver, lost);
  edits.push(...wikiLinkEdits(body, code, resolver, lost), ...tags);
  for (const { start: at, end } of tags) removeKeptNotes(body.slice(at, end), report);
  lost.reportTo(report, linesOf);
  return textWithLinkEdits(text, start, withoutOverlaps(edits));
}

/** Removes the note that a template tag is kept as written, because the tag was replaced by an address. */
function removeKeptNotes(tag: string, { lines }: ConversionReport): void {
  const kept = lines.filter((note) => {
    const name = constructNameOf(note)?.replace(/…$/, "");
    return name === undefined || !isKeptAsWritten(note) || !tag.startsWith(name);
  });
  lines.splice(0, lines.length, ...kept);
}

function isInsideRanges(ranges: readonly [number, number][], at: number): boolean {
  return ranges.some(([start, end]) => at >= start && at < end);
}

function wikiLinkEdits(
  body: string,
  code: readonly [number, number][],
  resolver: LinkResolver,
  lost: LostLinks,
): LinkRewrite[] {
  const edits: LinkRewrite[] = [];
  for (const match of body.matchAll(wikiLink)) {
    const [link, embed, name = "", fragment = "", alias] = match;
    if (isInsideRanges(code, match.index)) continue;
    const resolved = resolver.named(name.trim());
    const [start, end] = [match.index, match.index + link.length];
    const target = resolved?.kind === "document" ? resolver.titleOf?.(resolved.path) : undefined;
    const label = alias !== undefined && !/^\d+(?:x\d+)?$/.test(alias) ? alias : wikiLabel(name.trim(), target);
    const words = label.replace(/([[\]\\])/g, "\\$1");
    if (resolved?.kind === "asset")
      edits.push({ start, end, pieces: [`${embed ?? ""}[${words}](`, resolved.url, ")"] });
    else if (resolved?.kind === "document") {
      const slug = slugOfWikiFragment(fragment);
      if (embed === "!") lost.addWikiLink("embed", link);
      if (slug !== "" && resolver.hasHeading?.(resolved.path, slug) === false) lost.addWikiLink("heading", link);
      const url = encodeURI(`${resolved.path}`).replace(/[()]/g, (sign) => (sign === "(" ? "%28" : "%29"));
      edits.push({
        start,
        end,
        pieces: [`[${words}](`, { path: resolved.path, fragment: slug, url }, ")"],
      });
    } else lost.addWikiLink("wiki", link, `[[${name.trim()}]]`);
  }
  return edits;
}

/**
 * Returns the text of a wiki link: `[[b]]` shows b. For the home page of a folder, it is the title or the folder's
 * name.
 */
function wikiLabel(name: string, title: string | undefined): string {
  const parts = name.split("/").map((part) => part.replace(/\.(?:mdx?|markdown)$/i, ""));
  const last = parts.at(-1) ?? name;
  return /^(?:readme|_?index)$/i.test(last) ? (title ?? parts.at(-2) ?? last) : last;
}

/** Turns a heading's words, as wikis write them, into a fragment. */
function slugOfWikiFragment(fragment: string): string {
  return fragment === ""
    ? ""
    : `#${fragment
        .slice(1)
        .trim()
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s-]/gu, "")
        .replace(/\s+/g, "-")}`;
}

function templateLinkEdits(
  body: string,
  code: readonly [number, number][],
  resolver: LinkResolver,
  lost: LostLinks,
): LinkRewrite[] {
  return [...body.matchAll(templateLink)].flatMap((match): LinkRewrite[] => {
    const url = match[1] ?? match[2] ?? "";
    // replace the tag only where it is an address, because in running text the address would be visible
    if (
      isInsideRanges(code, match.index) ||
      !/(?:\]\(\s*<?|\]:\s*<?|href=["'])$/.test(body.slice(Math.max(0, match.index - 12), match.index))
    )
      return [];
    const { fragment } = splitAddress(url);
    const resolved = resolver.named(url);
    if (resolved?.kind !== "document") {
      lost.addLink(url, undefined, false);
      return [];
    }
    return [
      {
        start: match.index,
        end: match.index + match[0].length,
        pieces: [{ path: resolved.path, fragment, url: match[0] }],
      },
    ];
  });
}

function withoutOverlaps(edits: readonly LinkRewrite[]): LinkRewrite[] {
  let reached = -1;
  return edits
    .toSorted((a, b) => a.start - b.start)
    .filter(({ start, end }) => {
      if (start < reached) return false;
      reached = end;
      return true;
    });
}

function textWithLinkEdits(text: string, start: number, edits: readonly LinkRewrite[]): Rewritten {
  const links: DocumentLink[] = [];
  let out = text.slice(0, start);
  let done = start;
  for (const edit of edits) {
    out += text.slice(done, start + edit.start);
    for (const piece of edit.pieces) {
      if (typeof piece === "string") out += piece;
      else {
        links.push({
          start: out.length,
          end: out.length + piece.url.length,
          path: piece.path,
          fragment: piece.fragment,
        });
        out += piece.url;
      }
    }
    done = start + edit.end;
  }
  return { text: out + text.slice(done), links };
}

/** Returns the offset of the text after the front matter. */
export function bodyStart(text: string): number {
  return (
    /^\uFEFF?(?:---[ \t]*\r?\n(?:[^]*?\r?\n)?(?:---|\.\.\.)|\+\+\+[ \t]*\r?\n(?:[^]*?\r?\n)?\+\+\+)[ \t]*(?:\r?\n|$)/.exec(
      text,
    )?.[0].length ?? 0
  );
}
