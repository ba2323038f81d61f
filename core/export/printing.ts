/** Messages to the printing process and its answers. This process creates PDFs and Word files apart from the server. */
import { AppError, type ErrorBody } from "../errors.ts";
import type { ExportDocument } from "./document.ts";
import { refusals } from "./refusals.ts";

export const pdfStandards = ["a-2b"] as const;
export type PdfStandard = (typeof pdfStandards)[number];

export interface PrintAsk {
  format: "pdf" | "docx";
  document: ExportDocument;
  /** The document's text, from `renderHtml`. */
  html: string;
  standard: PdfStandard | null;
}

/** The bytes of a document's images, by their names in the text. The alternative text replaces a missing image. */
export type Images = Record<string, Uint8Array>;

/** One image with all its names in the text. */
export interface NamedImage {
  names: readonly string[];
  bytes: Uint8Array;
}

/** Messages to the process: first each image of a document, so that the sender never holds two, then the document. */
export type PrintMessage = ({ kind: "image" } & NamedImage) | { kind: "document"; ask: PrintAsk };

export interface PrintedFile {
  bytes: Uint8Array;
  /** Content that the export can't show exactly, described for users. */
  warnings: string[];
}

export type PrintReply = (
  | { kind: "ready" }
  /** `full`: the process uses too much memory for another document, so its caller must replace it. */
  | { kind: "done"; printed: PrintedFile; full: boolean }
  | { kind: "refused"; error: ErrorBody }
  | { kind: "broken"; message: string }
) & {
  /** The reason why this machine can't scale images down; absent if it can. */
  unscaled?: string;
};

/**
 * `wall`: milliseconds for one document on a busy machine. `residentMegabytes`: maximum memory of the process, native
 * code included; above it, the process is killed. `restMegabytes`: memory that a process may keep for its next
 * document.
 */
export const printLimits = { wall: 30_000, heapMegabytes: 512, residentMegabytes: 1_024, restMegabytes: 384 } as const;

/**
 * The process kills itself with this signal when it uses too much memory. Only its caller may send the signal for
 * another reason.
 */
export const memorySignal = "SIGKILL";

/**
 * The error for a document that broke a limit of its process.
 * @param ask the document, if the process had received it; the advice to use fewer images depends on its text
 */
export function printLimitError(why: "time" | "memory" | "broken", ask?: Pick<PrintAsk, "html">): AppError {
  const hasImages = ask !== undefined && /<img\b/i.test(ask.html);
  const way = why === "memory" ? (hasImages ? "images" : "split") : "shorten";
  return new AppError("unprocessable", refusals.cannotSet({ why, way }));
}
