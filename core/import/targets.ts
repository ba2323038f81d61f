/** Finds the document or file that a link points at. */
import {
  folderOf,
  foldedKey,
  indexPaths,
  isRelative,
  joinPath,
  linkedPaths,
  nameKey,
  type Counting,
  type PathIndex,
} from "#core/links/link-targets.ts";
import { baseOf } from "./files.ts";

const places = [
  /\]\(\s*(?:<([^>\n]+)>|((?:[^()\s<>]|\([^()\s]*\))+))/g,
  /^[ \t>]*(?:(?:[-*+]|\d+[.)])[ \t]+)*\[[^\]\n]+\]:[ \t]*(?:<([^<>\n]+)>|([^\s<]\S*))/gm,
  /\b(?:src|href|poster)\s*=\s*(?:["']([^"'\n]+)["']|([^\s"'=<>`]+))/g,
];
export const wikiLink = /(!?)\[\[([^\][|#\n]+)(#[^\][|\n]*)?(?:\|([^\][\n]*))?\]\]/g;
/** `{% link a.md %}` of Jekyll, `{{< relref "a.md" >}}` of Hugo, `{% page "/a/" %}` of Eleventy sites. */
export const templateLink =
  /\{%-?\s*(?:link|page|post_url)\s+["']?([^"'%\s]+)["']?\s*-?%\}|\{\{[<%]\s*(?:rel)?ref\s+["']([^"']+)["']\s*[>%]\}\}/g;

/** Relative addresses a Markdown text mentions, code included: a quick look, more than the text links in the end. */
export function mentioned(text: string): Set<string> {
  const found = new Set<string>();
  if (!/\]\(|\]:|\[\[|\b(?:src|href|poster)\s*=|\{%|\{\{/.test(text)) return found;
  for (const place of places) {
    for (const [, one, two] of text.matchAll(place)) {
      const url = one ?? two ?? "";
      if (isRelative(url)) found.add(url);
    }
  }
  for (const [, , name = ""] of text.matchAll(wikiLink)) found.add(name.trim());
  for (const [, one, two] of text.matchAll(templateLink)) found.add(one ?? two ?? "");
  return found;
}

/** Every way documents of one import are named by others. */
export interface DocumentIndex {
  /** The document an address in another one leads to. */
  find(from: string, target: string): string | undefined;
  /** By name alone, as wikis link. */
  named(from: string, name: string): string | undefined;
}

/** @param addresses of pages on their site, and titles, by path: `permalink`, `aliases`, `title` */
export function indexDocuments(
  paths: readonly string[],
  addresses: ReadonlyMap<string, string>,
  countingOf: (index: PathIndex) => Counting,
): DocumentIndex {
  const index = indexPaths(paths);
  const counting = countingOf(index);
  const byName = Map.groupBy(paths, plainName);
  const find = (from: string, target: string): string | undefined => {
    const joined = joinPath(target.startsWith("/") ? "" : folderOf(from), target);
    return (
      index.first(linkedPaths(from, target, counting)) ??
      addresses.get(address(target)) ??
      (joined === undefined ? undefined : addresses.get(address(joined)))
    );
  };
  return {
    find,
    named(from, name) {
      const direct = find(from, name) ?? find(from, `/${name}`);
      if (direct !== undefined) return direct;
      const same = byName.get(plainName(name)) ?? [];
      const wanted = foldedKey(name).replace(/\.md$/, "");
      const matching = same.filter((path) =>
        foldedKey(path)
          .replace(/\.\w+$/, "")
          .endsWith(wanted),
      );
      const near = (matching.length > 0 ? matching : same).toSorted((a, b) => a.length - b.length);
      return near.find((path) => folderOf(path) === folderOf(from)) ?? near[0] ?? addresses.get(address(name));
    },
  };
}

/** Addresses are compared without slashes at the ends, and without regard to case. */
export function address(url: string): string {
  return nameKey(url)
    .replace(/^\/+|\/+$/g, "")
    .replace(/(?:\/?index)?\.html?$/, "")
    .toLowerCase();
}

function plainName(path: string): string {
  return foldedKey(baseOf(path).replace(/\.(?:mdx?|markdown|html?|docx)$/i, ""));
}
