import type { Definition, Image, Link } from "mdast";
import { assetUrl } from "./links.ts";
import { eachNode, parseMarkdown } from "./parse.ts";

export interface LinkedAsset {
  sha256: string;
  ext: string;
}

type Target = Link | Image | Definition;

const repositoryUrl = /^\.\.\/\.\.\/assets\/([0-9a-f]{2})\/(\1[0-9a-f]{62})\.([a-z0-9]{1,5})$/;

/** The stored files a body links or shows, each once, in the order of the text. Code is not looked at. */
export function linkedAssets(markdown: string): LinkedAsset[] {
  const found = new Map<string, LinkedAsset>();
  for (const { url } of targets(markdown, "/api/assets/")) {
    const [, sha256, ext] = assetUrl.exec(splitUrl(url)[0]) ?? [];
    if (sha256 !== undefined && !found.has(sha256)) found.set(sha256, { sha256, ext: ext ?? "" });
  }
  return [...found.values()];
}

/** `/api/assets/<sha256>.<ext>` → `../../assets/<first 2>/<sha256>.<ext>`: how git and export hold links (repository format v1). */
export function toRepositoryLinks(markdown: string): string {
  return replaceTargets(markdown, "/api/assets/", (url) => {
    const [, sha256, ext] = assetUrl.exec(url) ?? [];
    return sha256 === undefined || ext === undefined
      ? undefined
      : `../../assets/${sha256.slice(0, 2)}/${sha256}.${ext}`;
  });
}

/** The way back from `toRepositoryLinks`. */
export function fromRepositoryLinks(markdown: string): string {
  return replaceTargets(markdown, "../../assets/", (url) => {
    const [, , sha256, ext] = repositoryUrl.exec(url) ?? [];
    return sha256 === undefined ? undefined : `/api/assets/${sha256}.${ext ?? ""}`;
  });
}

/** Parsing is dear, and most bodies link nothing. */
function targets(markdown: string, needle: string): Target[] {
  const found: Target[] = [];
  if (!markdown.includes(needle)) return found;
  eachNode(parseMarkdown(markdown), (node) => {
    if (node.type === "link" || node.type === "image" || node.type === "definition") found.push(node);
  });
  return found;
}

/** `url` without its `?query#fragment`, and those. */
function splitUrl(url: string): [string, string] {
  const end = url.search(/[?#]/);
  return end === -1 ? [url, ""] : [url.slice(0, end), url.slice(end)];
}

function replaceTargets(markdown: string, needle: string, map: (url: string) => string | undefined): string {
  const edits: { start: number; end: number; text: string }[] = [];
  for (const node of targets(markdown, needle)) {
    const [path, rest] = splitUrl(node.url);
    const mapped = map(path);
    const start = mapped === undefined ? -1 : destinationStart(markdown, node);
    if (mapped !== undefined && start !== -1) edits.push({ start, end: start + node.url.length, text: mapped + rest });
  }
  edits.sort((a, b) => b.start - a.start);
  return edits.reduce((text, { start, end, text: put }) => text.slice(0, start) + put + text.slice(end), markdown);
}

/** Where the destination of a link stands in the text; -1 where it is written in some other way (character references). */
function destinationStart(markdown: string, node: Target): number {
  const from = node.position?.start.offset ?? 0;
  const to = node.position?.end.offset ?? 0;
  const source = markdown.slice(from, to);
  const opening = node.type === "definition" ? /\]:\s*<?/g : /\]\(\s*<?/g;
  // The last place that fits: a label may hold what looks like a destination, a title comes after.
  const labelEnd = node.type === "link" ? (node.children.at(-1)?.position?.end.offset ?? from) - from : 0;
  opening.lastIndex = labelEnd;
  let start = -1;
  for (let match = opening.exec(source); match !== null; match = opening.exec(source)) {
    const at = match.index + match[0].length;
    if (!source.startsWith(node.url, at) || !/^>?\s*(?:["'(][^]*)?\)?$/.test(source.slice(at + node.url.length)))
      continue;
    start = from + at;
    if (node.type !== "image") break;
  }
  return start;
}
