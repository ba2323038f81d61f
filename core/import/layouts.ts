/** Finds the documents in the files of an import, and their names. Each tool exports its files in another layout. */
import { isId } from "#core/ids.ts";
import { imageFilePattern } from "./image-name.ts";
import { foldedKey, folderOf } from "#core/links/link-targets.ts";
import { fileNameOf, extensionOf, documentKindOf, type DocumentKind, type SourceFile } from "./files.ts";

const layouts = ["auto", "markdown", "docx", "html", "notion", "confluence", "gdocs", "git"] as const;
export type Layout = (typeof layouts)[number];

export interface SourceDocument {
  /** The path of the document in messages and on the server. */
  path: string;
  kind: DocumentKind;
  file: SourceFile;
  /** The id in the other tool, if it is a UUID. */
  id?: string;
}

/** A file that doesn't become a document, with the reason and, if the user can help, a hint. */
export interface SkippedFile {
  path: string;
  outcome: "skip" | "refused";
  code: string;
  reason: string;
  hint?: string;
}

export interface SortedFiles {
  layout: Exclude<Layout, "auto" | "git">;
  documents: SourceDocument[];
  leftOut: SkippedFile[];
  /** Other files that aren't imported by themselves. Images are read with their documents. */
  unread: { path: string; reason: "extension" | "hidden" }[];
}

const notionName = /^(.*?)[ -]?([0-9a-f]{32})((?:_all)?\.[a-z]+)?$/i;

/**
 * Sorts the files of an import into documents, skipped files and other files.
 * @param from the layout that the user chose; `auto` and `git` detect it from the names
 * @param more further extensions of Markdown files, such as `.md.tmpl`
 */
export function sortIntoDocuments(
  files: readonly SourceFile[],
  from: Layout = "auto",
  more: readonly string[] = [],
): SortedFiles {
  const layout = from === "auto" || from === "git" ? detectLayout(files) : from;
  const documents: SourceDocument[] = [];
  const leftOut: SkippedFile[] = [];
  const unread: SortedFiles["unread"] = [];
  const taken = new Set<string>();
  for (const file of files.toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
    const kind =
      documentKindOf(file.path, more) ?? (from === "confluence" ? confluenceStorageKind(file.path) : undefined);
    if (isSystemFile(file.path)) {
      if (kind !== undefined) unread.push({ path: file.path, reason: "hidden" });
      continue;
    }
    const skipped = skipReason(file.path, layout);
    if (skipped !== undefined) leftOut.push({ path: file.path, outcome: "skip", code: "index", reason: skipped });
    else if (kind === undefined) {
      const found = skippedUnreadableFile(file.path);
      if (found !== undefined) leftOut.push(found);
      else if (!imageFilePattern.test(file.path)) unread.push({ path: file.path, reason: "extension" });
    } else if (
      (layout === "docx" || layout === "html" || layout === "markdown") &&
      from === layout &&
      kind !== layout
    ) {
      leftOut.push({
        path: file.path,
        outcome: "skip",
        code: "other_kind",
        reason: `it is not what --from ${layout} names`,
      });
    } else {
      const named = layout === "notion" ? notionPath(file.path) : { path: file.path };
      documents.push({ ...named, path: takeUnusedFileName(named.path, taken), kind, file });
    }
  }
  return { layout, documents, leftOut, unread };
}

function detectLayout(files: readonly SourceFile[]): SortedFiles["layout"] {
  const paths = files.map(({ path }) => path).filter((path) => !isSystemFile(path));
  if (paths.some((path) => documentKindOf(path) !== undefined && notionName.test(fileNameOf(path)))) return "notion";
  const pages = paths.filter((path) => documentKindOf(path) === "html");
  if (pages.length === 0) return paths.some((path) => documentKindOf(path) === "markdown") ? "markdown" : "docx";
  const isSpace = pages.some((path) => /^(?:.*_)?\d+\.html$/.test(fileNameOf(path)));
  if (isSpace && pages.some((path) => fileNameOf(path) === "index.html")) return "confluence";
  const folders = new Set(paths.map(folderOf));
  if (pages.length === 1 && [...folders].every((folder) => folder === "" || folder === "images")) return "gdocs";
  return paths.some((path) => documentKindOf(path) === "markdown") ? "markdown" : "html";
}

/** Tells whether a file is hidden, or added by an operating system to folders and archives. */
export function isSystemFile(path: string): boolean {
  return path.split("/").some((part) => part.startsWith(".") || part === "__MACOSX" || part === "Thumbs.db");
}

function skipReason(path: string, layout: SortedFiles["layout"]): string | undefined {
  if (layout === "notion" && extensionOf(path) === "csv") {
    return "the table of a Notion database: its rows are pages, which are imported themselves";
  }
  if (layout === "notion" && fileNameOf(path) === "index.html") return "the export's list of pages";
  if (layout === "confluence" && fileNameOf(path) === "index.html") return "the list of the space's pages";
  return undefined;
}

/** Returns the kind of a page in Confluence's storage format (XML). `entities.xml` is not a page but a whole space. */
function confluenceStorageKind(path: string): DocumentKind | undefined {
  return extensionOf(path) === "xml" && fileNameOf(path) !== "entities.xml" ? "html" : undefined;
}

/**
 * Returns the reason to skip a file that looks like a document but can't be read; undefined for images and style
 * sheets, which belong to documents.
 */
function skippedUnreadableFile(path: string): SkippedFile | undefined {
  const hints: Record<string, string> = {
    doc: "save it as .docx",
    odt: "save it as .docx",
    rtf: "save it as .docx",
    pages: "export it as Word",
    txt: "rename it to .md",
    adoc: "convert it to Markdown",
    rst: "convert it to Markdown",
    zip: "import it on its own",
    csv: "tables belong into documents",
    xlsx: "tables belong into documents",
  };
  const hint = hints[extensionOf(path)];
  if (hint === undefined) return undefined;
  return { path, outcome: "skip", code: "not_a_document", reason: `.${extensionOf(path)} files are not read`, hint };
}

/** Removes Notion's long ids from a path: `Team 0f…/Page 1a….md` → `Team/Page.md`. */
function notionPath(path: string): { path: string; id?: string } {
  const parts = path.split("/").map((part) => {
    const [, name = part, , extension = ""] = notionName.exec(part) ?? [];
    return (name.trim() === "" ? "Untitled" : name.trim()) + extension;
  });
  const hex = notionName.exec(fileNameOf(path))?.[2]?.toLowerCase();
  const id = hex?.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  return { path: parts.join("/"), ...(isId(id) && { id }) };
}

function takeUnusedFileName(path: string, taken: Set<string>): string {
  const dot = path.lastIndexOf(".");
  let name = path;
  for (let copy = 2; taken.has(foldedKey(name)); copy += 1) name = `${path.slice(0, dot)} ${copy}${path.slice(dot)}`;
  taken.add(foldedKey(name));
  return name;
}
