/** The interface of an export's source: the server, or a folder of files. */
import type { ExportDocument } from "#core/export/document.ts";
import type { HeadingLookup } from "#core/links/heading-names.ts";
import type { PdfStandard } from "#core/export/printing.ts";
import type { Problem } from "../exit.ts";

export type PageFormat = "html" | "pdf" | "docx";

export interface ExportEntry {
  /** The id in the front matter or on the server; null for a file without an id. */
  id: string | null;
  number: string;
  /** The title; absent for files of a folder. */
  title?: string;
  /** The path in the repository without the file's ending: `sops/it-operations/sop-0042-reset-a-password`. */
  path: string;
  /** The ending of the Markdown file: `.md`, or for an unpublished version `.draft.md` and the like. */
  ending: string;
  /** The headings of the file, and in `mentions` the addresses that it links; only if it can be for another tool. */
  headings?: HeadingLookup;
  mentions?: ReadonlySet<string>;
}

/** A document as data and as HTML. */
export interface RenderedDocument {
  document: ExportDocument;
  /** The text as HTML, sanitized by `renderHtml`. */
  html: string;
}

export interface RenderedFile {
  bytes: Uint8Array;
  /** Notes for users about content that can't be shown exactly. */
  warnings: readonly string[];
}

export interface Attachment {
  /** The file's path, relative to the same folder as the path of its document. */
  path: string;
  bytes(): Promise<Uint8Array>;
}

export interface DocumentSource {
  entries: readonly ExportEntry[];
  /** The problems of documents that can't be in `entries`. */
  leftOut: readonly Problem[];
  /** The exact text of the file, with images as `../../assets/…`. */
  text(entry: ExportEntry): Promise<string>;
  read(entry: ExportEntry): Promise<RenderedDocument>;
  renderFile(entry: ExportEntry, format: PageFormat, standard: PdfStandard | null): Promise<RenderedFile>;
  /** Returns the bytes of an image by its name `<sha256>.<ext>`. */
  image(name: string): Promise<Uint8Array>;
  /** Returns the files that a text links, each with its path, so that the export is complete. */
  attachments(entry: ExportEntry, text: string): Promise<Attachment[]>;
  /** Returns the document's records: versions, approvals, publication periods and audit entries. */
  records(entry: ExportEntry): Promise<Record<string, unknown>>;
  /** Returns all that the server stores about the document, as JSON. */
  json(entry: ExportEntry): Promise<unknown>;
  close(): Promise<void>;
}
