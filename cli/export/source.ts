/** Where exported documents come from: the server, or a folder of files. */
import type { ExportDocument } from "#core/export/document.ts";
import type { HeadingNames } from "#core/links/heading-names.ts";
import type { PdfStandard } from "#core/export/printing.ts";

export type PageFormat = "html" | "pdf" | "docx";

export interface Entry {
  /** The server's id; null for a file that the server has not seen. */
  id: string | null;
  number: string;
  /** As in the repository, without the file's ending: `sops/it-operations/sop-0042-reset-a-password`. */
  path: string;
  /** The end of the name as Markdown: `.md`, or `.draft.md` and the like for what isn't published. */
  ending: string;
  /** For files that can be written for another tool: their headings, and the relative addresses that they write. */
  headings?: HeadingNames;
  mentions?: ReadonlySet<string>;
}

/** A document with its text in both forms. */
export interface Read {
  document: ExportDocument;
  /** From `renderHtml`. */
  html: string;
}

export interface RenderedFile {
  bytes: Uint8Array;
  /** Content that can't be shown exactly, in words for users. */
  warnings: readonly string[];
}

export interface Attachment {
  /** From the same folder as the entry's. */
  path: string;
  bytes(): Promise<Uint8Array>;
}

export interface Source {
  entries: readonly Entry[];
  /** The exact text of the file, with images as `../../assets/…`. */
  text(entry: Entry): Promise<string>;
  read(entry: Entry): Promise<Read>;
  make(entry: Entry, format: PageFormat, standard: PdfStandard | null): Promise<RenderedFile>;
  /** The bytes of an image, by `<sha256>.<ext>`. */
  picture(name: string): Promise<Uint8Array>;
  /** The files that a text links, each with its path. With them the export is complete. */
  attachments(entry: Entry, text: string): Promise<Attachment[]>;
  /** The records about it: versions, approvals, publication periods, audit rows. */
  records(entry: Entry): Promise<Record<string, unknown>>;
  /** Everything the server says of it, as JSON. */
  json(entry: Entry): Promise<unknown>;
  close(): Promise<void>;
}
