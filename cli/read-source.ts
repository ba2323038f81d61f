/** Reads files as texts of documents. A document isn't empty, is UTF-8 and has a limited size. */
import { readFile, stat } from "node:fs/promises";
import { sha256Of } from "./hashing.ts";
import { limits } from "#core/limits.ts";
import { failureOf, invalidInputError, type Problem } from "./exit.ts";
import type { WalkedFile } from "./walk.ts";

export interface SourceText {
  /** The bytes as text, with byte order mark and line ends. `sha256` is the hash of the same bytes. */
  text: string;
  sha256: string;
  bytes: number;
}

/** Reads a document's text, or returns the problem with the file. */
export async function readSourceText({ file, path }: WalkedFile): Promise<SourceText | Problem> {
  try {
    const { size } = await stat(file);
    if (size > limits.document) throw documentTooLargeError(path, size);
    return decodeSource(await readFile(file), path);
  } catch (error) {
    const { problem } = failureOf(error);
    if (problem.code === "bug") throw error;
    if (problem.code !== "file") return problem;
    return { ...problem, code: "unreadable", path, message: `${path}: ${problem.message.slice(file.length + 2)}` };
  }
}

/** Decodes the bytes of a document. @throws exit 2 if they are empty, not UTF-8 or too large */
export function decodeSource(bytes: Uint8Array, path: string): SourceText {
  if (bytes.length > limits.document) throw documentTooLargeError(path, bytes.length);
  const text = decodeUtf8(bytes, path);
  if (/^\uFEFF?\s*$/.test(text))
    throw invalidInputError("empty", `${path}: the file is empty`, { path, hint: "write something, or delete it" });
  return { text, sha256: sha256Of(bytes), bytes: bytes.length };
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function decodeUtf8(bytes: Uint8Array, path: string): string {
  const utf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  const hint = "save it as UTF-8 in your editor";
  if (utf16) throw invalidInputError("not_utf8", `${path}: the file is UTF-16, not UTF-8`, { path, hint });
  if (bytes.includes(0))
    throw invalidInputError("not_text", `${path}: the file is not text (it holds NUL bytes)`, { path });
  try {
    return decoder.decode(bytes);
  } catch {
    throw invalidInputError("not_utf8", `${path}: the file is not UTF-8`, { path, hint });
  }
}

export function documentTooLargeError(path: string, size: number) {
  const kibibytesText = (bytes: number) => `${Math.ceil(bytes / 1024).toLocaleString("en")} KiB`;
  return invalidInputError(
    "too_large",
    `${path}: ${kibibytesText(size)} are too much, a document has at most ${kibibytesText(limits.document)}`,
    {
      path,
      hint: "split it into several SOPs",
    },
  );
}
