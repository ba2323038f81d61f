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

export function baseOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
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
