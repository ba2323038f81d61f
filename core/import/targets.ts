/** Finds the document or file that a link points at. */
import { baseOf, extensionOf, folderOf, foldersAround, joinPath, kindOf } from "./files.ts";

const places = [
  /\]\(\s*(?:<([^>\n]+)>|((?:[^()\s<>]|\([^()\s]*\))+))/g,
  /^ {0,3}\[[^\]\n]+\]:[ \t]*<?(\S+?)>?[ \t]*(?:["'(].*)?$/gm,
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

export function isRelative(url: string): boolean {
  return (
    url !== "" &&
    !url.startsWith("#") &&
    !url.startsWith("//") &&
    !/^[a-z][a-z0-9+.-]*:/i.test(url) &&
    !url.startsWith("{")
  );
}

/** `a%20b.md?x#c` → path `a b.md`, fragment `#c`. */
export function splitTarget(url: string): { path: string; fragment: string } {
  const [, path = "", fragment = ""] = /^([^?#]*)(?:\?[^#]*)?(#.*)?$/s.exec(url) ?? [];
  return { path: decoded(path), fragment };
}

export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Every way documents of one import are named by others. */
export interface DocumentIndex {
  /** The document an address in another one leads to. */
  find(from: string, target: string): string | undefined;
  /** By name alone, as wikis link. */
  named(from: string, name: string): string | undefined;
}

/** @param addresses of pages on their site, and titles, by path: `permalink`, `aliases`, `title` */
export function indexDocuments(paths: readonly string[], addresses: ReadonlyMap<string, string>): DocumentIndex {
  const known = new Set(paths);
  const byName = new Map<string, string[]>();
  for (const path of paths) {
    const name = plainName(path);
    byName.set(name, [...(byName.get(name) ?? []), path]);
  }
  const find = (from: string, target: string): string | undefined => {
    const path = target.replace(/\/+$/, "");
    const isRooted = target.startsWith("/");
    const joined = joinPath(isRooted ? "" : folderOf(from), path);
    const tries = joined === undefined ? [] : candidates(joined);
    // a site's pages are often in a folder of their own: docs/, content/
    const roots = isRooted
      ? foldersAround(from).flatMap((root) => candidates(joinPath(root, path.slice(1)) ?? ""))
      : [];
    return (
      [...tries, ...roots].find((candidate) => known.has(candidate)) ??
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
      const matching = same.filter((path) =>
        path
          .toLowerCase()
          .replace(/\.\w+$/, "")
          .endsWith(name.toLowerCase().replace(/\.md$/, "")),
      );
      const near = (matching.length > 0 ? matching : same).toSorted((a, b) => a.length - b.length);
      return near.find((path) => folderOf(path) === folderOf(from)) ?? near[0] ?? addresses.get(address(name));
    },
  };
}

/** Addresses are compared without slashes at the ends, and without regard to case. */
export function address(url: string): string {
  return url
    .replace(/^\/+|\/+$/g, "")
    .replace(/(?:\/?index)?\.html?$/, "")
    .toLowerCase();
}

function candidates(path: string): string[] {
  const kind = kindOf(path);
  const bare = kind === "html" ? path.replace(/\.html?$/i, "") : path;
  const own = kind === undefined && extensionOf(path) !== "" && !/\.\d+$/.test(path) ? [path, `${path}.md`] : [path];
  const guesses = [
    `${bare}.md`,
    `${bare}.mdx`,
    `${bare}.markdown`,
    `${bare}.html`,
    `${bare}/index.md`,
    `${bare}/index.mdx`,
    `${bare}/_index.md`,
    `${bare}/README.md`,
    `${bare}/index.html`,
  ];
  return kind === "markdown" || kind === "docx"
    ? [path]
    : [...own, ...guesses].filter((guess) => !guess.startsWith("/"));
}

function plainName(path: string): string {
  return baseOf(path)
    .replace(/\.(?:mdx?|markdown|html?|docx)$/i, "")
    .toLowerCase();
}
