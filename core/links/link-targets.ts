/** Decides where a relative address leads, with the same answer for import, lint and exports. */
import { percentDecoded } from "#core/text/percent-decoded.ts";

/** Returns a key to compare paths, because macOS writes file names in NFD and most texts are in NFC. */
export function comparablePath(path: string): string {
  return path.normalize("NFC");
}

/** Returns a key that is equal for paths that differ only in upper and lower case, as on macOS and Windows. */
export function foldedKey(path: string): string {
  return comparablePath(comparablePath(path).toLowerCase());
}

/** Finds existing files by the paths that links contain. */
export interface PathIndex {
  /** The first of these paths that exists: by its exact name, or by one that differs in case only. */
  firstExisting(paths: readonly string[]): string | undefined;
}

export function createPathIndex(paths: Iterable<string>): PathIndex {
  const exact = new Map<string, string>();
  /** Paths by their folded key; null if several paths have the key, so that it is ambiguous. */
  const folded = new Map<string, string | null>();
  for (const path of paths) {
    exact.set(path, path);
    if (!exact.has(comparablePath(path))) exact.set(comparablePath(path), path);
    const key = foldedKey(path);
    folded.set(key, folded.has(key) && comparablePath(folded.get(key) ?? "") !== comparablePath(path) ? null : path);
  }
  return {
    firstExisting(wanted) {
      for (const path of wanted) {
        const found = exact.get(path) ?? exact.get(comparablePath(path));
        if (found !== undefined) return found;
      }
      for (const path of wanted) {
        const found = folded.get(foldedKey(path));
        if (found != null) return found;
      }
      return undefined;
    },
  };
}

/** Splits an address: `a%20b.md?x#c` → path `a b.md`, fragment `#c`. */
export function splitAddress(url: string): { path: string; fragment: string } {
  const [, path = "", fragment = ""] = /^([^?#]*)(?:\?[^#]*)?(#.*)?$/s.exec(url) ?? [];
  return { path: percentDecoded(path), fragment };
}

/** The folder of a file: `a/b/c.md` → `a/b`; empty for a file in the root. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

/** All folders around a file: `a/b/c.md` → `a`, `a/b`. */
function foldersAround(path: string): string[] {
  const parts = folderOf(path).split("/");
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}

/** Resolves a relative path: `a/b` and `../c.md` → `a/c.md`; undefined if it leads out of the root. */
export function joinPath(folder: string, relative: string): string | undefined {
  const parts = relative.startsWith("/") || folder === "" ? [] : folder.split("/");
  for (const part of relative.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join("/");
}

const ending = /\.(?:mdx?|markdown|html?)$/i;
const home = /(?:^|\/)(?:index|_index|readme)$/i;

/**
 * Returns the folder from which a browser resolves the links of a page; undefined if that is the folder of the file. A
 * site shows `a/b.md` at the address `a/b/`. MkDocs only rewrites links to files.
 */
function pageFolderOf(from: string): string | undefined {
  const page = from.replace(ending, "");
  return page === from || home.test(page) ? undefined : page;
}

/** The base from which a site resolves addresses without a file extension. */
export type AddressBase = "from the file" | "from the page";

/**
 * The folders from which an address can be resolved, the likeliest first. Addresses of Markdown files are relative to
 * the file.
 */
export function baseFoldersOfLink(from: string, path: string, addressBase: AddressBase = "from the file"): string[] {
  // the root of the site can be any folder around the file: docs/, content/
  if (/^[/\\]/.test(path))
    return ["", ...foldersAround(from)].filter((base, index, all) => all.indexOf(base) === index);
  const page = /\.(?:mdx?|markdown|docx)$/i.test(path) ? undefined : pageFolderOf(from);
  const file = folderOf(from);
  if (page === undefined) return [file];
  return addressBase === "from the page" ? [page, file] : [file, page];
}

/**
 * The files that a relative address can mean, the likeliest first: `b.md` itself; for `b`, `b/` and `b.html`, the file
 * of the page at that address.
 * @param path decoded, without query and fragment
 */
export function possibleFilesOfLink(from: string, path: string, addressBase?: AddressBase): string[] {
  const target = path.includes("/") ? path : path.replaceAll("\\", "/");
  return baseFoldersOfLink(from, target, addressBase).flatMap((base) => {
    const joined = joinPath(base, target.replace(/^\/+/, ""));
    return joined === undefined ? [] : sourceFilesOfPage(joined);
  });
}

/** The files from which sites make the page at this path. */
function sourceFilesOfPage(path: string): string[] {
  const isFile = /\.(?:mdx?|markdown|docx)$/i.test(path);
  const bare = path.replace(ending, "");
  const isHome = home.test(bare);
  const folder = isHome ? folderOf(bare) : bare;
  const within = ["index.md", "index.mdx", "_index.md", "README.md", "index.html"].map((name) =>
    folder === "" ? name : `${folder}/${name}`,
  );
  // a link to `a.md` means that file, but README.md and index.md are the same page
  if (isFile) return isHome ? [path, ...within] : [path];
  const files = bare === "" ? [] : ["md", "mdx", "markdown", "html", "docx"].map((name) => `${bare}.${name}`);
  const beside = isHome && folder !== "" ? ["md", "mdx", "markdown", "html"].map((name) => `${folder}.${name}`) : [];
  const own = path === "" ? [] : [path, ...(/\.[A-Za-z0-9]+$/.test(path) && bare === path ? [`${path}.md`] : [])];
  return [...own, ...files, ...within, ...beside];
}

/**
 * Detects the base from which the links of these documents are resolved, by the links that work from one base only.
 * @param documents paths of documents with the relative addresses in their texts
 */
export function detectAddressBase(
  documents: Iterable<{ path: string; addresses: Iterable<string> }>,
  index: PathIndex,
): AddressBase {
  let fromPage = 0;
  for (const { path: from, addresses } of documents) {
    const page = pageFolderOf(from);
    if (page === undefined) continue;
    for (const address of addresses) {
      const { path } = splitAddress(address);
      if (path === "" || path.startsWith("/") || /\.(?:mdx?|markdown|docx)$/i.test(path)) continue;
      const fileFromBase = (base: string) => {
        const joined = joinPath(base, path);
        return joined === undefined ? undefined : index.firstExisting(sourceFilesOfPage(joined));
      };
      const [file, other] = [fileFromBase(folderOf(from)), fileFromBase(page)];
      if ((file === undefined) !== (other === undefined)) fromPage += other === undefined ? -1 : 1;
    }
  }
  return fromPage > 0 ? "from the page" : "from the file";
}

/**
 * Tells whether an address leads to another file of the same source, also by a path from its root (`/a/b.md`). Addresses
 * of other servers, of SOPs and files on this server, and of a heading in the same text don't.
 */
export function isAddressOfSourceFile(url: string): boolean {
  return (
    url !== "" &&
    !/^(?:#|\/\/|\{)/.test(url) &&
    !/^\/(?:sop|api\/assets)\//.test(url) &&
    !/^[a-z][a-z0-9+.-]*:/i.test(url)
  );
}
