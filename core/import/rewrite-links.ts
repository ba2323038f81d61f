/** Addresses in a Markdown file become ours: images and files are stored ones, other documents are recorded by path. */
import type { Nodes } from "mdast";
import { destinationStart } from "#core/markdown/assets.ts";
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
  | { kind: "document"; path: string }
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

/** `text` without front matter is parsed; addresses in code stay what they are. Throws `unprocessable` where it can't be parsed. */
export function rewriteLinks(text: string, resolver: LinkResolver, report: Report): Rewritten {
  const start = bodyStart(text);
  const body = text.slice(start);
  assertParsable(body);
  const tree = parseMarkdown(body);
  const edits: Edit[] = [];
  const code: [number, number][] = [];
  const missing = new Set<string>();
  const place = (at: number, url: string, isImage: boolean) => {
    const resolved = isRelative(url) ? resolver.resolve(url, isImage) : undefined;
    if (resolved?.kind === "missing") missing.add(resolved.what);
    if (resolved === undefined || resolved.kind === "missing") return;
    const { fragment } = splitTarget(url);
    const piece = resolved.kind === "asset" ? resolved.url : { path: resolved.path, fragment, url };
    edits.push({ start: at, end: at + url.length, pieces: [piece] });
  };
  eachNode(tree, (node) => {
    const [from, to] = [node.position?.start.offset ?? 0, node.position?.end.offset ?? 0];
    if (node.type === "code" || node.type === "inlineCode") code.push([from, to]);
    else if (node.type === "html") {
      code.push([from, to]);
      for (const [at, url, isImage] of htmlAddresses(node.value)) place(from + at, url, isImage);
    } else if (node.type === "link" || node.type === "image" || node.type === "definition") {
      const at = destinationStart(body, { ...node, url: written(body, node) });
      if (at !== -1) place(at, written(body, node), node.type === "image");
    }
  });
  edits.push(...wikiEdits(body, code, resolver, missing), ...templateEdits(body, code, resolver));
  for (const what of missing) report.add("image", what);
  return applied(text, start, withoutOverlaps(edits));
}

/** The address as the text has it, because the parser decodes escapes. */
function written(body: string, node: Nodes & { url: string }): string {
  const source = body.slice(node.position?.start.offset ?? 0, node.position?.end.offset ?? 0);
  if (source.includes(node.url)) return node.url;
  const plain = node.url.replaceAll(" ", "%20");
  return source.includes(plain) ? plain : node.url;
}

function* htmlAddresses(html: string): Generator<[number, string, boolean]> {
  for (const tag of html.matchAll(/<(img|a)\b[^>]*>/gi)) {
    const found = /\b(?:src|href)\s*=\s*(["'])(.*?)\1/i.exec(tag[0]);
    if (found === null) continue;
    const [, , url = ""] = found;
    yield [tag.index + found.index + found[0].length - 1 - url.length, url, tag[1]?.toLowerCase() === "img"];
  }
}

function isInside(ranges: readonly [number, number][], at: number): boolean {
  return ranges.some(([start, end]) => at >= start && at < end);
}

function wikiEdits(
  body: string,
  code: readonly [number, number][],
  resolver: LinkResolver,
  missing: Set<string>,
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
    } else missing.add(`[[${name.trim()}]] leads to nothing in this import and stays as text`);
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
