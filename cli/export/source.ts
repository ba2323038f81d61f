/** Where exported documents come from: the server, or a folder of files. */
import type { ExportDocument } from "#core/export/document.ts";
import type { PdfStandard } from "#core/export/printing.ts";

export type PageFormat = "html" | "pdf" | "docx";

export interface Entry {
  /** Of the server; null for a file it has not seen. */
  id: string | null;
  number: string;
  /** As in the repository, without the file's ending: `sops/it-operations/sop-0042-reset-a-password`. */
  path: string;
}

/** A document with its text in both forms. */
export interface Read {
  document: ExportDocument;
  /** From `renderHtml`. */
  html: string;
}

export interface Made {
  bytes: Uint8Array;
  /** What could not be shown as it is, for people. */
  warnings: readonly string[];
}

export interface Attachment {
  /** From the same folder as the entry's. */
  path: string;
  bytes(): Promise<Uint8Array>;
}

export interface Source {
  entries: readonly Entry[];
  /** The exact text of the file, pictures as `../../assets/…`. */
  text(entry: Entry): Promise<string>;
  read(entry: Entry): Promise<Read>;
  make(entry: Entry, format: PageFormat, standard: PdfStandard | null): Promise<Made>;
  /** The bytes of a picture, by `<sha256>.<ext>`. */
  picture(name: string): Promise<Uint8Array>;
  /** What the text of a file leads to, each at its path: with it the file is whole. */
  attachments(entry: Entry, text: string): Promise<Attachment[]>;
  /** What is known of it beside its text: versions, approvals, periods in force, audit rows. */
  records(entry: Entry): Promise<Record<string, unknown>>;
  /** Everything the server says of it, as JSON. */
  json(entry: Entry): Promise<unknown>;
  close(): Promise<void>;
}
