/** What the printing process is asked and answers: it sets PDFs and Word files apart from everything else. */
import type { ErrorBody } from "../errors.ts";
import type { ExportDocument } from "./document.ts";

export const pdfStandards = ["a-2b"] as const;
export type PdfStandard = (typeof pdfStandards)[number];

export interface PrintAsk {
  format: "pdf" | "docx";
  document: ExportDocument;
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
  | { kind: "done"; printed: Printed }
  | { kind: "refused"; error: ErrorBody }
  | { kind: "broken"; message: string };

/** Milliseconds that one document may take on a busy machine, and the memory its process may fill. */
export const printLimits = { wall: 30_000, heapMegabytes: 512 } as const;
