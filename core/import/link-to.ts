import type { ReportLine } from "./markdown/report.ts";
import type { DocumentLink } from "./rewrite-links.ts";

/** @returns the present address of a document; undefined if it was not imported */
type AddressOf = (path: string) => string | undefined;

/** The text with its links to other documents in place; links to others stay as written. Needs no parser. */
export function linkTo(text: string, links: readonly DocumentLink[], addressOf: AddressOf): string {
  let out = "";
  let done = 0;
  for (const { start, end, path, fragment } of links) {
    const address = addressOf(path);
    if (address === undefined) continue;
    out += text.slice(done, start) + address + fragment;
    done = end;
  }
  return out + text.slice(done);
}

interface Linked {
  path: string;
  sha256: string;
  text: string;
  links: readonly DocumentLink[];
}

/**
 * A document as it is sent. Links to documents that are refused stay as written and are named, and it is known by another
 * hash: once they are imported, it counts as changed.
 */
export function linkDocument(
  document: Linked,
  addressOf: AddressOf,
): { text: string; sha256: string; notes: ReportLine[] } {
  const { path, text, links, sha256 } = document;
  const waiting = links.filter((link) => addressOf(link.path) === undefined);
  const linked = linkTo(text, links, addressOf);
  if (waiting.length === 0) return { text: linked, sha256, notes: [] };
  const urls = [...new Set(waiting.map(({ start, end }) => text.slice(start, end)))];
  const message =
    waiting.length === 1
      ? `the link ${urls.join()} leads to a document that can't be imported`
      : `${waiting.length} links lead to documents that can't be imported: ${urls.join(", ")}`;
  const targets = [...new Set(waiting.map((link) => link.path))].toSorted();
  return { text: linked, sha256: mixed([sha256, ...targets].join("\n")), notes: [{ path, code: "link", message }] };
}

/** 64 hexadecimal digits of a text (FNV-1a with four seeds): browsers have no SHA-256 without TLS. */
function mixed(text: string): string {
  const bytes = new TextEncoder().encode(text);
  return [1n, 2n, 3n, 4n]
    .map((seed) => {
      let hash = 0xcbf29ce484222325n ^ seed;
      for (const byte of bytes) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
      return hash.toString(16).padStart(16, "0");
    })
    .join("");
}

/** An SOP's address on the server it is on. */
export function sopAddress(id: string): string {
  return `/sop/${id}`;
}
