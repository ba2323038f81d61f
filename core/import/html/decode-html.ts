import type { Report } from "#core/import/markdown/report.ts";
import { AppError } from "#core/errors.ts";

const strict = new TextDecoder("utf-8", { fatal: true });

/**
 * Decodes UTF-8, or else the encoding that the page declares. Line ends become LF.
 * @throws AppError for bytes that aren't text
 */
export function decodeHtml(bytes: Uint8Array, report: Report): string {
  return decode(bytes, report).replace(/\r\n?/g, "\n");
}

function decode(bytes: Uint8Array, report: Report): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  if (bytes.includes(0)) throw new AppError("invalid_input", "it is not text (it holds NUL bytes)");
  try {
    return strict.decode(bytes);
  } catch {
    const head = new TextDecoder("windows-1252").decode(bytes.subarray(0, 2048));
    const name = /<meta[^>]+charset\s*=\s*["']?([\w-]+)/i.exec(head)?.[1] ?? "windows-1252";
    report.add("encoding", `the text is not UTF-8 and was read as ${name}`);
    try {
      return new TextDecoder(name).decode(bytes);
    } catch {
      throw new AppError("invalid_input", `it is written in ${name}, which is not read: save it as UTF-8`);
    }
  }
}
