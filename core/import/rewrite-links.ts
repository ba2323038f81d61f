/** Addresses in a Markdown file become ours: images and files are stored ones, other documents are recorded by path. */
import { limits } from "#core/limits.ts";
import { addressesIn } from "#core/markdown/addresses.ts";
import { assertParsable } from "#core/markdown/limits.ts";
import { eachNode, parseMarkdown } from "#core/markdown/parse.ts";
import type { Report } from "#core/import/markdown/report.ts";
import { isRelative, splitTarget, templateLink, wikiLink } from "./targets.ts";

/** A place in a text that leads to another document of the import. */
export interface DocumentLink {
  start: number;
  end: number;
  /** The document it leads to. */
  path: string;
  fragment: string;
}

/** The target of an address. */
export type Resolved =
  | { kind: "asset"; url: string }
  | { kind: "document"; path: string; fragment?: string }
  | { kind: "missing"; what: string }
  | undefined;

export interface LinkResolver {
  /** Resolves a written address; `isImage` if it is shown as an image. */
  resolve(url: string, isImage: boolean): Resolved;
  /** Resolves a name, as wikis link. */
  named(name: string): Resolved;
}

interface Edit {
  start: number;
  end: number;
  /** Pieces of text, and of documents to be linked. */
  pieces: (string | { path: string; fragment: string; url: string })[];
}

export interface Rewritten {
  text: string;
  links: DocumentLink[];
}

/**
 * `text` without front matter is parsed; addresses in code stay what they are. Throws `unprocessable` where it can't be
 * parsed.
 * @param lineOf the line of an address in the file that the user has
 */
export function rewriteLinks(
  text: string,
  resolver: LinkResolver,
  report: Report,
  lineOf: (written: string) => number | undefined = () => undefined,
): Rewritten {
  const start = bodyStart(text);
  const body = text.slice(start);
  assertParsable(body, limits.splitSource);
  const tree = parseMarkdown(body);
  const edits: Edit[] = [];
  const code: [number, number][] = [];
  /** What is missing, by the words for it, with the address that names it. */
  const missing = new Map<string, string>();
  const place = (at: number, url: string, isImage: boolean) => {
    const resolved = isRelative(url) ? resolver.resolve(url, isImage) : undefined;
    if (resolved?.kind === "missing") missing.set(resolved.what, url);
    if (resolved === undefined || resolved.kind === "missing") return;
    const piece =
      resolved.kind === "asset"
        ? resolved.url
        : { path: resolved.path, fragment: resolved.fragment ?? splitTarget(url).fragment, url };
    // without quotes, HTML in Markdown can't have a slash
    const quotes = /=\s*$/.test(body.slice(Math.max(0, at - 5), at)) ? ['"'] : [];
    edits.push({ start: at, end: at + url.length, pieces: [...quotes, piece, ...quotes] });
  };
  for (const { url, start: at, kind } of addressesIn(body, tree)) if (at !== -1) place(at, url, kind === "image");
  eachNode(tree, (node) => {
    if (node.type === "code" || node.type === "inlineCode" || node.type === "html")
      code.push([node.position?.start.offset ?? 0, node.position?.end.offset ?? 0]);
  });
  edits.push(...wikiEdits(body, code, resolver, missing), ...templateEdits(body, code, resolver));
  for (const [what, url] of missing) report.add("image", what, lineOf(url));
  return applied(text, start, withoutOverlaps(edits));
}

function isInside(ranges: readonly [number, number][], at: number): boolean {
  return ranges.some(([start, end]) => at >= start && at < end);
}

function wikiEdits(
  body: string,
  code: readonly [number, number][],
  resolver: LinkResolver,
  missing: Map<string, string>,
): Edit[] {
  const edits: Edit[] = [];
  for (const match of body.matchAll(wikiLink)) {
    const [link, embed, name = "", fragment = "", alias] = match;
    if (isInside(code, match.index)) continue;
    const resolved = resolver.named(name.trim());
    const [start, end] = [match.index, match.index + link.length];
    const label = (alias !== undefined && !/^\d+(?:x\d+)?$/.test(alias) ? alias : name.trim().split("/").at(-1)) ?? "";
    const words = label.replace(/([[\]\\])/g, "\\$1");
    if (resolved?.kind === "asset")
      edits.push({ start, end, pieces: [`${embed ?? ""}[${words}](`, resolved.url, ")"] });
    else if (resolved?.kind === "document") {
      const url = encodeURI(`${resolved.path}`).replace(/[()]/g, (sign) => (sign === "(" ? "%28" : "%29"));
      edits.push({
        start,
        end,
        pieces: [`[${words}](`, { path: resolved.path, fragment: slugged(fragment), url }, ")"],
      });
    } else missing.set(`[[${name.trim()}]] leads to nothing in this import and stays as text`, link);
  }
  return edits;
}

/** Wikis write a heading's words. */
function slugged(fragment: string): string {
  return fragment === ""
    ? ""
    : `#${fragment
        .slice(1)
        .trim()
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s-]/gu, "")
        .replace(/\s+/g, "-")}`;
}

function templateEdits(body: string, code: readonly [number, number][], resolver: LinkResolver): Edit[] {
  return [...body.matchAll(templateLink)].flatMap((match): Edit[] => {
    const url = match[1] ?? match[2] ?? "";
    // only where the tag is an address: in running text it would print one
    if (
      isInside(code, match.index) ||
      !/(?:\]\(\s*<?|\]:\s*<?|href=["'])$/.test(body.slice(Math.max(0, match.index - 12), match.index))
    )
      return [];
    const { fragment } = splitTarget(url);
    const resolved = resolver.named(url);
    if (resolved?.kind !== "document") return [];
    return [
      {
        start: match.index,
        end: match.index + match[0].length,
        pieces: [{ path: resolved.path, fragment, url: match[0] }],
      },
    ];
  });
}

function withoutOverlaps(edits: readonly Edit[]): Edit[] {
  let reached = -1;
  return edits
    .toSorted((a, b) => a.start - b.start)
    .filter(({ start, end }) => {
      if (start < reached) return false;
      reached = end;
      return true;
    });
}

function applied(text: string, start: number, edits: readonly Edit[]): Rewritten {
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

/** Where the text after the front matter begins. */
export function bodyStart(text: string): number {
  return (
    /^\uFEFF?(?:---[ \t]*\r?\n(?:[^]*?\r?\n)?(?:---|\.\.\.)|\+\+\+[ \t]*\r?\n(?:[^]*?\r?\n)?\+\+\+)[ \t]*(?:\r?\n|$)/.exec(
      text,
    )?.[0].length ?? 0
  );
}
