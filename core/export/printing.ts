/** What the printing process is asked and answers: it sets PDFs and Word files apart from everything else. */
import type { ErrorBody } from "../errors.ts";
import type { ExportDocument } from "./document.ts";

export const pdfStandards = ["a-2b"] as const;
export type PdfStandard = (typeof pdfStandards)[number];

export interface PrintAsk {
  format: "pdf" | "docx";
  document: ExportDocument;
  /** The document's text, from `renderHtml`. */
  html: string;
  /** The bytes of the pictures, by the name the text has for them; a missing one leaves its words. */
  pictures: Record<string, Uint8Array>;
  standard: PdfStandard | null;
}

export interface Printed {
  bytes: Uint8Array;
  /** What could not be shown as it is, for people. */
  warnings: string[];
}

export type PrintReply =
  | { kind: "ready" }
  /** `full`: it holds more memory than it should, and wants to begin anew. */
  | { kind: "done"; printed: Printed; full: boolean }
  | { kind: "refused"; error: ErrorBody }
  | { kind: "broken"; message: string };

/** Milliseconds that one document may take on a busy machine; what its process may hold, our part of it and all of it. */
export const printLimits = { wall: 30_000, heapMegabytes: 512, residentMegabytes: 768 } as const;
