/** Finds links between SOPs in a Markdown body: `/sop/SOP-0042`, with `#anchor` for a link to a heading. */
import type { Definition, Link, LinkReference } from "mdast";
import { isId } from "#core/ids.ts";
import { percentDecoded } from "#core/text/percent-decoded.ts";
import { readNumber } from "#core/numbers/numbers.ts";
import { destinationStart } from "./addresses.ts";
import { eachNode, parseMarkdown } from "./parse.ts";

/** A link to another SOP, as stored with a version. */
export interface SopLink {
  /** The number, such as `SOP-0042`; an id if the number was not known yet. */
  to: string;
  /** The offset of the destination in the text; -1 for a destination with escapes or character references. */
  at: number;
  /**
   * The path of the SOP's file from the root of the repository, as it was when the version was saved; null: the link
   * stays as it is.
   */
  path: string | null;
  /**
   * The words of the link if they were the SOP's title when the version was saved. Such a link shows the current title.
   * Null for a link with other words.
   */
  text: string | null;
}

/**
 * The target of an address: an SOP by its number or id, or a file of the repository by the number in its name. A file
 * name can have several readings, shortest number first: `hr-001-route-66-tour` belongs to `HR-001` or
 * `HR-001-ROUTE-66`.
 */
export type SopAddress =
  | { kind: "sop"; to: string; fragment: string }
  | { kind: "file"; names: { number: string; slug: string }[]; path: string; fragment: string };

/** A link in a text that leads, or may lead, to an SOP. */
export interface SopLinkPlace {
  url: string;
  /** The offset of the destination; -1 for a destination with escapes or character references. */
  start: number;
  /** The words of the link; empty if the link contains more than text. */
  text: string;
}

const screen = /^\/sop\/([^/?#]+)\/?(#[^\s]*)?$/;
const repositoryFile = /^\.\.\/\.\.\/((?:sops|templates|archive)\/[a-z0-9-]+\/([a-z0-9.-]+)\.md)(#[^\s]*)?$/;

const markOfName = /\.(?:draft|not-yet-effective|superseded|archived)$/;

/** Tells whether a text can link SOPs. A text without these addresses needs no parsing. */
export function mayLinkSops(markdown: string): boolean {
  return /\/sop\/|\.\.\/(?:sops|templates|archive)\//i.test(markdown);
}

/** Returns the number or id that a text means: `SOP-0042` for `sop-42`, an id in lower case; null for other texts. */
export function sopKeyOf(text: string): string | null {
  return isId(text) ? text.toLowerCase() : readNumber(text);
}

/**
 * Reads the SOP that an address leads to; null for other addresses.
 * @param origin the server's own address, without a slash at its end
 */
export function readSopAddress(url: string, origin = ""): SopAddress | null {
  const own = origin !== "" && url.startsWith(`${origin}/`) ? url.slice(origin.length) : url;
  const [, name, anchor = ""] = screen.exec(own) ?? [];
  const to = name === undefined ? null : sopKeyOf(percentDecoded(name));
  if (to !== null) return { kind: "sop", to, fragment: anchor };
  const [, path, file = "", fragment = ""] = repositoryFile.exec(url) ?? [];
  const names = numbersInFileName(file);
  return path === undefined || names.length === 0 ? null : { kind: "file", names, path, fragment };
}

/** The numbers and slugs that the name of an SOP's file, without its ending, can have. */
export function numbersInFileName(marked: string): { number: string; slug: string }[] {
  // exports mark file names by status: `sop-0042-reset.draft.md`
  const name = marked.replace(markOfName, "");
  return [...name.matchAll(/(?<=[.-]\d{1,9})-(?=[a-z0-9-]+$)/g)].flatMap(({ index }) => {
    const number = readNumber(name.slice(0, index));
    return number === null ? [] : [{ number, slug: name.slice(index + 1) }];
  });
}

/** The address of an SOP in a stored text: `/sop/SOP-0042#steps`. */
export function sopUrl(to: string, fragment = ""): string {
  return `/sop/${to}${fragment}`;
}

/**
 * The links that may lead to an SOP, in the order of the text. Code contains none. Throws if the text can't be parsed.
 */
export function sopLinkPlaces(markdown: string, origin = ""): SopLinkPlace[] {
  if (!mayLinkSops(markdown)) return [];
  const places: SopLinkPlace[] = [];
  const definitions = new Map<string, string>();
  const references: LinkReference[] = [];
  const addLink = (node: Link | Definition, text: string): void => {
    if (readSopAddress(node.url, origin) === null) return;
    places.push({ url: node.url, start: destinationStart(markdown, node), text });
  };
  eachNode(parseMarkdown(markdown), (node) => {
    if (node.type === "link") addLink(node, plainLinkText(node));
    else if (node.type === "linkReference") references.push(node);
    else if (node.type === "definition") {
      if (!definitions.has(node.identifier)) definitions.set(node.identifier, node.url);
      addLink(node, "");
    }
  });
  for (const reference of references) {
    const url = definitions.get(reference.identifier);
    if (url !== undefined && readSopAddress(url, origin) !== null)
      places.push({ url, start: -1, text: plainLinkText(reference) });
  }
  return places.sort((a, b) => a.start - b.start);
}

function plainLinkText(node: Link | LinkReference): string {
  const words = node.children.map((child) => (child.type === "text" ? child.value : undefined));
  return words.includes(undefined) ? "" : words.join("");
}

/**
 * Replaces the destinations of links. Links without an offset are kept. @returns the text, and the new offset of each
 * link
 */
export function replaceLinkDestinations(
  markdown: string,
  moves: readonly { start: number; from: string; to: string }[],
): { text: string; starts: number[] } {
  let text = "";
  let done = 0;
  const starts: number[] = [];
  for (const { start, from, to } of moves) {
    if (start < done) {
      starts.push(-1);
      continue;
    }
    text += markdown.slice(done, start);
    starts.push(text.length);
    text += to;
    done = start + from.length;
  }
  return { text: text + markdown.slice(done), starts };
}

/** Returns the offset in the text after `replaceLinkDestinations` for an offset in the text before. */
export function offsetAfterReplacing(
  offset: number,
  moves: readonly { start: number; from: string; to: string }[],
): number {
  return moves.reduce((at, { start, from, to }) => (start < offset ? at + to.length - from.length : at), offset);
}
