/** Messages to the printing process and its answers. It creates PDFs and Word files apart from the server. */
import { AppError, type ErrorBody } from "../errors.ts";
import type { ExportDocument } from "./document.ts";

export const pdfStandards = ["a-2b"] as const;
export type PdfStandard = (typeof pdfStandards)[number];

export interface PrintAsk {
  format: "pdf" | "docx";
  document: ExportDocument;
  /** The document's text, from `renderHtml`. */
  html: string;
  standard: PdfStandard | null;
}

/** The bytes of a document's images, by the name that its text has for them. A missing image leaves its words. */
export type Pictures = Record<string, Uint8Array>;

/** One image under all names that texts have for it. */
export interface NamedImage {
  names: readonly string[];
  bytes: Uint8Array;
}

/** Messages to the process: a document's images one by one, so that the sender never holds two, then the document. */
export type PrintMessage = ({ kind: "image" } & NamedImage) | { kind: "document"; ask: PrintAsk };

export interface Printed {
  bytes: Uint8Array;
  /** Content that can't be shown exactly, in words for users. */
  warnings: string[];
}

export type PrintReply = (
  | { kind: "ready" }
  /** `full`: it holds more memory than it should, and must be replaced. */
  | { kind: "done"; printed: Printed; full: boolean }
  | { kind: "refused"; error: ErrorBody }
  | { kind: "broken"; message: string }
) & {
  /** Why this machine can't scale images down, if it can't. */
  unscaled?: string;
};

/**
 * `wall`: milliseconds for one document on a busy machine. `residentMegabytes`: memory of its process, native code included; one
 * that holds more is killed. `restMegabytes`: what a process may keep for its next document.
 */
export const printLimits = { wall: 30_000, heapMegabytes: 512, residentMegabytes: 1_024, restMegabytes: 384 } as const;

/** The error for a document that broke a limit of its process. */
export const limitTexts = {
  time: "takes too long",
  memory: "takes too much memory",
  broken: "breaks the typesetter",
} as const;

/** The process kills itself with this signal when it uses too much memory. Otherwise only its caller sends it. */
export const memorySignal = "SIGKILL";

/** @param ask the document, if the process had one: only images can be made fewer */
export function printLimitError(why: keyof typeof limitTexts, ask?: Pick<PrintAsk, "html">): AppError {
  const hasImages = ask !== undefined && /<img\b/i.test(ask.html);
  const dense = why === "memory" ? "Split it into several SOPs" : "Shorten or simplify it";
  const way = why === "memory" && hasImages ? "Use fewer or smaller images" : dense;
  return new AppError(
    "unprocessable",
    `The document can't be set: it ${limitTexts[why]}. ${way}, or export it as HTML`,
  );
}
