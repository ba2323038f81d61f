import { messageAndReasonOf } from "#core/language/catalog.ts";
import { linkTexts } from "./link-texts.ts";
import { type ReportLine } from "./markdown/report.ts";
import type { DocumentLink } from "./rewrite-links.ts";

/** Returns the address of a document on the server; undefined if the document was not imported. */
type AddressOf = (path: string) => string | undefined;

/**
 * Returns the text with addresses on the server in links to other documents. Links to documents that were not imported
 * stay as written.
 */
export function replaceDocumentLinks(text: string, links: readonly DocumentLink[], addressOf: AddressOf): string {
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

interface LinkedDocument {
  path: string;
  sha256: string;
  text: string;
  links: readonly DocumentLink[];
}

/**
 * Returns a document with replaced links, to send to the server. Links to refused documents stay as written and are
 * reported. Such links also change the hash, so that the document counts as changed once the linked documents are
 * imported.
 */
export function linkedDocumentOf(
  document: LinkedDocument,
  addressOf: AddressOf,
): { text: string; sha256: string; notes: ReportLine[] } {
  const { path, text, links, sha256 } = document;
  const waiting = links.filter((link) => addressOf(link.path) === undefined);
  const linked = replaceDocumentLinks(text, links, addressOf);
  if (waiting.length === 0) return { text: linked, sha256, notes: [] };
  const urls = [...new Set(waiting.map(({ start, end }) => text.slice(start, end)))];
  const message = linkTexts.refused({ count: waiting.length, links: urls.join(", ") });
  const targets = [...new Set(waiting.map((link) => link.path))].toSorted();
  return {
    text: linked,
    sha256: hexDigestOf([sha256, ...targets].join("\n")),
    notes: [{ path, code: "link", ...messageAndReasonOf(message) }],
  };
}

/**
 * Returns a hash of a text as 64 hexadecimal digits (FNV-1a with four seeds), because browsers have no SHA-256 without
 * TLS.
 */
function hexDigestOf(text: string): string {
  const bytes = new TextEncoder().encode(text);
  return [1n, 2n, 3n, 4n]
    .map((seed) => {
      let hash = 0xcbf29ce484222325n ^ seed;
      for (const byte of bytes) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
      return hash.toString(16).padStart(16, "0");
    })
    .join("");
}

/** Returns the path of an SOP on its server. */
export function sopAddress(id: string): string {
  return `/sop/${id}`;
}
