/** Finds the document or file that a link leads to. */
import {
  folderOf,
  foldedKey,
  createPathIndex,
  isAddressOfSourceFile,
  joinPath,
  possibleFilesOfLink,
  comparablePath,
  type AddressBase,
  type PathIndex,
} from "#core/links/link-targets.ts";
import { fileNameOf } from "./files.ts";

const addressPatterns = [
  /\]\(\s*(?:<([^>\n]+)>|((?:[^()\s<>]|\([^()\s]*\))+))/g,
  /^[ \t>]*(?:(?:[-*+]|\d+[.)])[ \t]+)*\[[^\]\n]+\]:[ \t]*(?:<([^<>\n]+)>|([^\s<]\S*))/gm,
  /\b(?:src|href|poster)\s*=\s*(?:["']([^"'\n]+)["']|([^\s"'=<>`]+))/g,
];
export const wikiLink = /(!?)\[\[([^\][|#\n]+)(#[^\][|\n]*)?(?:\|([^\][\n]*))?\]\]/g;
/** Matches `{% link a.md %}` of Jekyll, `{{< relref "a.md" >}}` of Hugo, `{% page "/a/" %}` of Eleventy sites. */
export const templateLink =
  /\{%-?\s*(?:link|page|post_url)\s+["']?([^"'%\s]+)["']?\s*-?%\}|\{\{[<%]\s*(?:rel)?ref\s+["']([^"']+)["']\s*[>%]\}\}/g;

/** Returns the relative addresses and wiki names in a Markdown text, by a fast search that also finds those in code. */
export function relativeAddressesIn(text: string): Set<string> {
  const found = new Set<string>();
  if (!/\]\(|\]:|\[\[|\b(?:src|href|poster)\s*=|\{%|\{\{/.test(text)) return found;
  for (const place of addressPatterns) {
    for (const [, one, two] of text.matchAll(place)) {
      const url = one ?? two ?? "";
      if (isAddressOfSourceFile(url)) found.add(url);
    }
  }
  for (const [, , name = ""] of text.matchAll(wikiLink)) found.add(name.trim());
  for (const [, one, two] of text.matchAll(templateLink)) found.add(one ?? two ?? "");
  return found;
}

/** Finds documents of an import by any form of link or name that other documents use for them. */
export interface DocumentIndex {
  /** Returns the document to which an address in another document leads. */
  find(from: string, target: string): string | undefined;
  /** Returns the document with a name, as wiki links use it. */
  named(from: string, name: string): string | undefined;
}

/**
 * Creates an index of the documents of an import. @param addresses other addresses of pages on their site and their
 * titles (`permalink`, `aliases`, `title`) → path
 */
export function createDocumentIndex(
  paths: readonly string[],
  addresses: ReadonlyMap<string, string>,
  countingOf: (index: PathIndex) => AddressBase,
): DocumentIndex {
  const index = createPathIndex(paths);
  const counting = countingOf(index);
  const byName = Map.groupBy(paths, comparableFileName);
  const findDocument = (from: string, target: string): string | undefined => {
    const joined = joinPath(target.startsWith("/") ? "" : folderOf(from), target);
    return (
      index.firstExisting(possibleFilesOfLink(from, target, counting)) ??
      addresses.get(comparableAddress(target)) ??
      (joined === undefined ? undefined : addresses.get(comparableAddress(joined)))
    );
  };
  return {
    find: findDocument,
    named(from, name) {
      const direct = findDocument(from, name) ?? findDocument(from, `/${name}`);
      if (direct !== undefined) return direct;
      const same = byName.get(comparableFileName(name)) ?? [];
      const wanted = foldedKey(name).replace(/\.md$/, "");
      const matching = same.filter((path) =>
        foldedKey(path)
          .replace(/\.\w+$/, "")
          .endsWith(wanted),
      );
      const near = (matching.length > 0 ? matching : same).toSorted((a, b) => a.length - b.length);
      return (
        near.find((path) => folderOf(path) === folderOf(from)) ?? near[0] ?? addresses.get(comparableAddress(name))
      );
    },
  };
}

/** Returns an address for comparison: without slashes at the ends, in lower case. */
export function comparableAddress(url: string): string {
  return comparablePath(url)
    .replace(/^\/+|\/+$/g, "")
    .replace(/(?:\/?index)?\.html?$/, "")
    .toLowerCase();
}

function comparableFileName(path: string): string {
  return foldedKey(fileNameOf(path).replace(/\.(?:mdx?|markdown|html?|docx)$/i, ""));
}
