import { AppError } from "#core/errors.ts";
import { foldedKey, createPathIndex } from "#core/links/link-targets.ts";
import { limits } from "#core/limits.ts";
import { fileNameOf, type SourceFile, type SourceTree } from "./files.ts";
import { readerOfBytes, openZip, createZipBudget, type ByteReader, type ZipBudget, type ZipEntry } from "./zip.ts";
import { refusals } from "./refusals.ts";

/** Matches the parts of a large Notion export: several zips inside one zip. */
const part = /(?:^|[-_ ])Part-\d+\.zip$/i;

/**
 * Reads the files of an exported zip. Zips inside are only opened if they are parts of a split export.
 * @throws AppError with a sentence that continues after the archive's name
 */
export async function readArchive(source: ByteReader, budget: ZipBudget = createZipBudget()): Promise<SourceFile[]> {
  const entries = await openZip(source, budget);
  const parts = entries.filter(({ path }) => part.test(fileNameOf(path)));
  const files = new Map<string, SourceFile>();
  const addFile = (entry: ZipEntry) => {
    if (files.has(entry.path)) throw new AppError("invalid_input", refusals.twoParts({ path: entry.path }));
    files.set(entry.path, { path: entry.path, size: entry.size, read: () => entry.read(limits.importSource) });
  };
  for (const entry of entries) if (!parts.includes(entry)) addFile(entry);
  for (const entry of parts) {
    const inner = readerOfBytes(await entry.read(limits.zipPacked));
    for (const file of await openZip(inner, budget)) addFile(file);
  }
  if (files.size === 0) throw new AppError("invalid_input", refusals.emptyArchive());
  return [...files.values()];
}

/** Creates the functions that find the files of an import, by path or by name. */
export function createSourceTree(files: readonly SourceFile[]): SourceTree {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const index = createPathIndex(byPath.keys());
  const byName = new Map<string, SourceFile>();
  for (const file of files.toReversed()) byName.set(foldedKey(fileNameOf(file.path)), file);
  return {
    find: (path) => byPath.get(index.firstExisting([path]) ?? ""),
    named: (name) => byName.get(foldedKey(name)),
  };
}
