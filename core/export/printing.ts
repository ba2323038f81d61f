/** Messages between the server and the process that creates PDFs and Word files. */
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

/**
 * Messages to the process: the images of a document one by one, so that the sender never has two in memory, then the
 * document.
 */
export type PrintMessage = ({ kind: "image" } & NamedImage) | { kind: "document"; ask: PrintAsk };

export interface PrintedFile {
  bytes: Uint8Array;
  /** Notes for users on content that the file can't show exactly. */
  warnings: string[];
}

export type PrintReply = (
  | { kind: "ready" }
  /** `full`: the process uses so much memory that its caller must replace it before the next document. */
  | { kind: "done"; printed: PrintedFile; full: boolean }
  | { kind: "refused"; error: ErrorBody }
  | { kind: "broken"; message: string }
) & {
  /** The reason why this machine can't scale images down; absent if it can. */
  unscaled?: string;
};

/**
 * Limits of the process. `wall`: milliseconds for one document. `residentMegabytes`: memory at which the process is
 * killed. `restMegabytes`: memory above which the process is replaced after a document.
 */
export const printLimits = { wall: 30_000, heapMegabytes: 512, residentMegabytes: 1_024, restMegabytes: 384 } as const;

/**
 * The process kills itself with this signal when it uses too much memory. Only its caller may send the signal for
 * another reason.
 */
export const memorySignal = "SIGKILL";

/**
 * Returns the error for a document that exceeded a limit of the process.
 * @param ask the document, if the process had received it; the advice to use fewer images depends on its text
 */
export function printLimitError(why: "time" | "memory" | "broken", ask?: Pick<PrintAsk, "html">): AppError {
  const hasImages = ask !== undefined && /<img\b/i.test(ask.html);
  const way = why === "memory" ? (hasImages ? "images" : "split") : "shorten";
  return new AppError("unprocessable", refusals.cannotSet({ why, way }));
}
