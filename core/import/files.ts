/** A file of a folder, an archive or a repository: the source of documents and their images. */
export interface SourceFile {
  /** The path with forward slashes, relative to the root of the import. */
  path: string;
  /** The size in bytes; absent if it isn't known without reading the file. */
  size?: number;
  read(): Promise<Uint8Array> | Uint8Array;
  /**
   * The last author of a file in a repository, and in `changed` the day of the last change (`2026-11-21`). Both are
   * absent for files without history.
   */
  author?: string;
  changed?: string;
}

/** Finds files that documents mention, only among the files of the import. */
export interface SourceTree {
  find(path: string): Promise<SourceFile | undefined> | SourceFile | undefined;
  /** Finds a file by its name alone, in any folder. */
  named(name: string): Promise<SourceFile | undefined> | SourceFile | undefined;
}

export function extensionOf(path: string): string {
  return /\.([A-Za-z0-9]+)$/.exec(path)?.[1]?.toLowerCase() ?? "";
}

export function fileNameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

export type DocumentKind = "markdown" | "docx" | "html";

/**
 * Returns the kind of document that a file can become, by its extension; undefined for other files.
 *
 * @param more further extensions of Markdown files in lowercase, such as `.md.tmpl`
 */
export function documentKindOf(path: string, more: readonly string[] = []): DocumentKind | undefined {
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
