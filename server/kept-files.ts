/** Checks the files of `DATA_DIR`. Docker creates a folder in place of a file if the file to mount is missing. */
import { lstatSync, statSync } from "node:fs";
import path from "node:path";

/** The server must not use this data folder. The message has the problem and the way out. */
export class DataFolderError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "DataFolderError";
  }
}

/**
 * Files that the server and its tasks keep in `DATA_DIR`. A copy that can be lost, such as `sopwright.db-schema`, is none.
 * `keys` isn't here either: who reads it looks first, and a backup without the keys needs none.
 */
const keptFiles = [
  ...["", "-wal", "-shm", "-journal", "-restoring"].map((end) => `sopwright.db${end}`),
  ...["", ".new", ".db", ".db-journal"].map((end) => `sopwright.lock${end}`),
  "keys.lock",
  "installation",
  "audit-checkpoints.ndjson",
  "last-backup",
  "last-backup.part",
];

/**
 * Call before the first of these files is opened, because opening a pipe would wait forever.
 * @throws DataFolderError
 */
export function assertKeptFiles(dataDir: string): void {
  for (const name of keptFiles) {
    const file = path.join(dataDir, name);
    const fault = faultOfFile(file);
    if (fault !== null)
      throw new DataFolderError(
        `${file}: ${fault}. Move it away. If the file was there before, put it back from a copy`,
      );
  }
}

/** @returns the warning for operators while the server can't keep its copy of the list of tables */
export function warningOfCopy(dataDir: string): string | null {
  const fault = faultOfFile(path.join(dataDir, "sopwright.db-schema"));
  return fault === null ? null : `sopwright.db-schema in DATA_DIR: ${fault}. Delete it and restart the server`;
}

/** @returns null also where there is nothing, or where this user can't look */
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
