/**
 * Finds the addresses in a Markdown body, with the same answer for import, push, commit, export, checks and the search
 * for unused files.
 */
import type { Definition, Image, Link, Nodes } from "mdast";
import { eachNode, parseMarkdown } from "./parse.ts";

export interface Address {
  /** The address as written, escapes included. */
  url: string;
  /** The offset in the text; -1 for an address with character references. */
  start: number;
  /** The kind of node with the address. A definition can belong to an image or to a link. */
  kind: "image" | "link" | "definition";
}

type AddressedNode = Link | Image | Definition;

/** Addresses of links, images, definitions and raw HTML, in the order of the tree. Code contains none. */
export function addressesInMarkdown(body: string, tree: Nodes = parseMarkdown(body)): Address[] {
  const found: Address[] = [];
  eachNode(tree, (node) => {
    if (node.type === "link" || node.type === "image" || node.type === "definition") {
      const url = writtenAddress(body, node);
      found.push({ url, start: destinationStart(body, { ...node, url }), kind: node.type });
    } else if (node.type === "html") {
      const from = node.position?.start.offset ?? 0;
      found.push(...htmlAddresses(body.slice(from, node.position?.end.offset ?? from), from));
    }
  });
  return found;
}

/** Returns the address as written in the text, because the parser decodes escapes. */
function writtenAddress(body: string, node: AddressedNode): string {
  const source = body.slice(node.position?.start.offset ?? 0, node.position?.end.offset ?? 0);
  if (source.includes(node.url)) return node.url;
  const plain = node.url.replaceAll(" ", "%20");
  if (source.includes(plain)) return plain;
  const raw = [...source.matchAll(destination)].map(([, pointed, bare]) => pointed ?? bare ?? "");
  return raw.findLast((url) => decodedWrittenAddress(url) === node.url) ?? node.url;
}

const destination = /\](?:\(|:)\s*(?:<((?:[^<>\n\\]|\\.)*)>|((?:[^\s<>()\\]|\\[^\s]|\((?:[^\s()\\]|\\[^\s])*\))+))/g;

/** Removes backslashes from a written address, and decodes `&amp;`. Some tools write needless ones: `a\_b.md`. */
export function decodedWrittenAddress(url: string): string {
  return url.replace(/\\([!-/:-@[-`{-~])/g, "$1").replace(/&amp;/g, "&");
}

const comment = /<!--[^]*?(?:-->|$)/g;
const tag = /<([a-z][a-z0-9]*)\b[^<>]*>/gi;
const attribute = /[\s"'/](?:src|href|poster)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+))/gi;

function* htmlAddresses(html: string, from: number): Generator<Address> {
  const shown = html.replace(comment, (text) => " ".repeat(text.length));
  for (const { 0: text, 1: name = "", index } of shown.matchAll(tag)) {
    for (const match of text.matchAll(attribute)) {
      const url = match[1] ?? match[2] ?? match[3] ?? "";
      const quote = match[3] === undefined ? 1 : 0;
      const start = from + index + match.index + match[0].length - quote - url.length;
      yield { url, start, kind: name.toLowerCase() === "a" ? "link" : "image" };
    }
  }
}

/** The offset of a link's destination in the text; -1 for a destination with character references. */
export function destinationStart(markdown: string, node: AddressedNode): number {
  const from = node.position?.start.offset ?? 0;
  const to = node.position?.end.offset ?? 0;
  const source = markdown.slice(from, to);
  const opening = node.type === "definition" ? /\]:\s*<?/g : /\]\(\s*<?/g;
  // The last match counts, because a label may contain text that looks like a destination. Titles follow destinations.
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
