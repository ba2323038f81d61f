/** A file of a folder, an archive or a repository: the source of documents and their images. */
export interface SourceFile {
  /** With forward slashes, relative to where the import begins. */
  path: string;
  /** In bytes, where it is known without reading. */
  size?: number;
  read(): Promise<Uint8Array> | Uint8Array;
  /** The last author and day (`2026-11-21`), for files in a repository. */
  author?: string;
  changed?: string;
}

/** Finds files that documents mention. Nothing outside the import is ever found. */
export interface SourceTree {
  find(path: string): Promise<SourceFile | undefined> | SourceFile | undefined;
  /** Finds a file by its name alone, in any folder. */
  named(name: string): Promise<SourceFile | undefined> | SourceFile | undefined;
}

export function extensionOf(path: string): string {
  return /\.([A-Za-z0-9]+)$/.exec(path)?.[1]?.toLowerCase() ?? "";
}

export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

/** `a/b/c.md` → `a`, `a/b`. */
export function foldersAround(path: string): string[] {
  const parts = folderOf(path).split("/");
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}

export function baseOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** `a/b` and `../c.md` → `a/c.md`; undefined where it leads out. */
export function joinPath(folder: string, relative: string): string | undefined {
  const parts = relative.startsWith("/") || folder === "" ? [] : folder.split("/");
  for (const part of relative.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join("/");
}

export type DocumentKind = "markdown" | "docx" | "html";

/**
 * The kind of document that a file can become, by its name.
 *
 * @param more endings in lowercase that are Markdown too, such as `.md.tmpl`
 */
export function kindOf(path: string, more: readonly string[] = []): DocumentKind | undefined {
  switch (extensionOf(path)) {
    case "md":
    case "markdown":
    case "mdx":
      return "markdown";
    case "docx":
      return "docx";
    case "html":
    case "htm":
      return "html";
    default:
      return more.some((ending) => path.toLowerCase().endsWith(ending)) ? "markdown" : undefined;
  }
}
