import { zipSync } from "fflate";
import { AppError } from "#core/errors.ts";
import { limits } from "#core/limits.ts";
import { readerOfBytes, openZip, createZipBudget, type ZipEntry } from "../zip.ts";
import { refusals } from "./refusals.ts";

/** A Word file, opened within the import's limits. Its parts are unpacked on demand. */
export interface WordPackage {
  /**
   * Returns the text of a part; empty for a missing part. @throws AppError for content that no regular Word file has
   */
  text(path: string): Promise<string>;
  names: readonly string[];
  /**
   * Returns the file with some parts replaced, uncompressed, because the converter has no limits for compressed data.
   */
  repacked(replaced: Readonly<Record<string, string>>): Promise<Uint8Array>;
}

const decoder = new TextDecoder();

/** Opens a Word file. @throws AppError with a sentence that continues after the file's name */
export async function openWord(bytes: Uint8Array): Promise<WordPackage> {
  if (bytes[0] === 0xd0 && bytes[1] === 0xcf && bytes[2] === 0x11) {
    throw new AppError("invalid_input", refusals.encrypted());
  }
  const budget = createZipBudget({ entries: 2_000, unpacked: 256 * 1024 * 1024 });
  const entries = new Map((await openZip(readerOfBytes(bytes), budget)).map((entry) => [entry.path, entry]));
  if (!entries.has("[Content_Types].xml") || !entries.has("word/document.xml")) {
    throw new AppError("invalid_input", refusals.notWord());
  }
  const readEntry = (entry: ZipEntry) => entry.read(limits.importSource);
  const readText = async (path: string) => {
    const entry = entries.get(path);
    return entry === undefined ? "" : assertNoCustomEntities(decoder.decode(await readEntry(entry)));
  };
  return {
    names: [...entries.keys()],
    text: readText,
    async repacked(replaced) {
      const files: Record<string, Uint8Array> = {};
      for (const [path, entry] of entries) {
        if (!isNeededPart(path)) continue;
        const isText = replaced[path] !== undefined || /\.(xml|rels)$/i.test(path);
        files[path] = isText
          ? new TextEncoder().encode(replaced[path] ?? (await readText(path)))
          : await readEntry(entry);
      }
      return zipSync(files, { level: 0 });
    },
  };
}

function isNeededPart(path: string): boolean {
  return /\.(xml|rels|png|jpe?g|gif|webp|bmp|tiff?|emf|wmf|svg)$/i.test(path) && !path.startsWith("customXml/");
}

/**
 * Returns the XML unchanged. @throws AppError for custom entities, which no regular Word file has, and which can make
 * small files huge
 */
function assertNoCustomEntities(xml: string): string {
  if (/<!(?:DOCTYPE|ENTITY)/i.test(xml)) throw new AppError("invalid_input", refusals.documentType());
  return xml;
}
