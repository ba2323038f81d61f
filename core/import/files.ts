/** A file of a folder, an archive or a repository: where documents and their pictures are read from. */
export interface SourceFile {
  /** With forward slashes, relative to where the import begins. */
  path: string;
  /** In bytes, where it is known without reading. */
  size?: number;
  read(): Promise<Uint8Array> | Uint8Array;
  /** Who changed it last, and on which day (`2026-11-21`): of files in a repository. */
  author?: string;
  changed?: string;
}

/** Finds files that documents mention. Nothing outside the import is ever found. */
export interface SourceTree {
  find(path: string): Promise<SourceFile | undefined> | SourceFile | undefined;
  /** By its name alone, in whatever folder it is. */
  named(name: string): Promise<SourceFile | undefined> | SourceFile | undefined;
}

export function extensionOf(path: string): string {
  return /\.([A-Za-z0-9]+)$/.exec(path)?.[1]?.toLowerCase() ?? "";
}

export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
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

/** What a file can become, by its name. */
export function kindOf(path: string): DocumentKind | undefined {
  switch (extensionOf(path)) {
    case "md":
    case "markdown":
      return "markdown";
    case "docx":
      return "docx";
    case "html":
    case "htm":
      return "html";
    default:
      return undefined;
  }
}
