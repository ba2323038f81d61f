/** Checks that the entries of `DATA_DIR` are files, because Docker creates a folder if the file to mount is missing. */
import { lstatSync, statSync } from "node:fs";
import path from "node:path";

/** The server can't use this data folder. The message says why, and how to fix it. */
export class DataFolderError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "DataFolderError";
  }
}

/**
 * Files that the server and its tasks keep in `DATA_DIR`. `sopwright.db-schema` isn't in the list, because it is a copy
 * that can be lost. `keys` isn't either, because the code that reads it checks it first.
 */
const dataFiles = [
  ...["", "-wal", "-shm", "-journal", "-restoring"].map((end) => `sopwright.db${end}`),
  ...["", ".new", ".db", ".db-journal"].map((end) => `sopwright.lock${end}`),
  "keys.lock",
  "installation",
  "audit-checkpoints.ndjson",
  "last-backup",
  "last-backup.part",
];

/**
 * Checks the files of the data folder. Call before the first of them is opened, because opening a pipe would wait
 * forever.
 * @throws DataFolderError
 */
export function assertDataFiles(dataDir: string): void {
  for (const name of dataFiles) {
    const file = path.join(dataDir, name);
    const fault = faultOfFile(file);
    if (fault !== null)
      throw new DataFolderError(
        `${file}: ${fault}. Move it away. If the file was there before, put it back from a copy`,
      );
  }
}

/**
 * Checks whether the server can write its copy of the list of tables.
 * @returns the warning for operators; null if the server can
 */
export function schemaCopyWarning(dataDir: string): string | null {
  const fault = faultOfFile(path.join(dataDir, "sopwright.db-schema"));
  return fault === null ? null : `sopwright.db-schema in DATA_DIR: ${fault}. Delete it and restart the server`;
}

/**
 * Says why a path isn't a file.
 * @returns null for a file, for a path without an entry, and for a path that this user can't look up
 */
export function faultOfFile(file: string): string | null {
  try {
    const found = statSync(file, { throwIfNoEntry: false });
    if (found === undefined) return lstatSync(file, { throwIfNoEntry: false }) ? "it is a link to nothing" : null;
    if (found.isDirectory()) return "there is a folder in the place of a file";
    return found.isFile() ? null : "it is not a regular file";
  } catch {
    return null;
  }
}
