import { createReport, type ConversionReport } from "#core/import/markdown/report.ts";
import { AppError } from "#core/errors.ts";
import type { ConvertedText } from "./converted.ts";
import { readDocx } from "./docx/docx-file.ts";
import { readHtmlFile } from "./html/html-file.ts";
import type { SourceDocument } from "./layouts.ts";
import { refusals } from "./refusals.ts";

const none: ReadonlyMap<string, Uint8Array> = new Map();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Reads a file of any kind as Markdown. @throws AppError with a sentence that continues after the file's name */
export async function readSourceAsMarkdown(
  document: SourceDocument,
  bytes: Uint8Array,
  report: ConversionReport = createReport(""),
): Promise<ConvertedText> {
  if (document.kind === "docx") return await readDocx(document.path, bytes, report);
  if (document.kind === "html") return readHtmlFile(bytes, report);
  return { text: decodeMarkdown(bytes), images: none };
}

function decodeMarkdown(bytes: Uint8Array): string {
  if (bytes.includes(0)) throw new AppError("invalid_input", refusals.notText());
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    throw new AppError("invalid_input", refusals.notUtf8());
  }
  if (text.startsWith("version https://git-lfs.")) {
    throw new AppError("invalid_input", refusals.pointerOfLfs());
  }
  if (/^\uFEFF?\s*$/.test(text)) throw new AppError("invalid_input", refusals.emptyFile());
  return text;
}
