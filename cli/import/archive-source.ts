/** A zip on disk, read where it is: it never is in memory as a whole. */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { readArchive } from "#core/import/archive.ts";
import type { SourceFile } from "#core/import/files.ts";
import { AppError } from "#core/errors.ts";
import { invalid } from "../exit.ts";
import type { FoundFile } from "../walk.ts";

export interface OpenArchive {
  files: SourceFile[];
  close(): void;
}

/** @throws exit 2 for a file that is no archive of documents, or a dangerous one */
export async function openArchive({ file, path }: FoundFile): Promise<OpenArchive> {
  const handle = openSync(file, "r");
  const close = () => closeSync(handle);
  try {
    const { size } = fstatSync(handle);
    const read = (offset: number, length: number) => {
      const bytes = Buffer.alloc(Math.max(0, Math.min(length, size - offset)));
      return bytes.subarray(0, readSync(handle, bytes, 0, bytes.length, offset));
    };
    return { files: await readArchive({ size, read }), close };
  } catch (error) {
    close();
    if (error instanceof AppError) throw invalid(error.code, `${path}: ${error.message}`, { path });
    throw error;
  }
}
