/** Checks that the entries of `DATA_DIR` are files, because Docker creates a folder if the file to mount is missing. */
import { lstatSync, statSync } from "node:fs";
import path from "node:path";

/** Thrown if the server can't use a data folder. The message gives the reason and the fix. */
export class DataFolderError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "DataFolderError";
  }
}

/**
 * The entries of `DATA_DIR` that must be regular files. `sopwright.db-schema` isn't listed, because the server can do
 * without this copy. `keys` isn't listed either, because `readKeyFile` checks it.
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
 * Checks that the listed entries are regular files or missing. Call it before one of these files is opened, because
 * opening a pipe would wait forever.
 * @throws DataFolderError
 */
export function assertRegularFiles(dataDir: string): void {
  for (const name of dataFiles) {
    const file = path.join(dataDir, name);
    const fault = nonRegularFileFault(file);
    if (fault !== null)
      throw new DataFolderError(
        `${file}: ${fault}. Move it away. If the file was there before, put it back from a copy`,
      );
  }
}

/** Returns a warning for operators if the server can't store its copy of the database's schema; null if it can. */
export function schemaCopyWarning(dataDir: string): string | null {
  const fault = nonRegularFileFault(path.join(dataDir, "sopwright.db-schema"));
  return fault === null ? null : `sopwright.db-schema in DATA_DIR: ${fault}. Delete it and restart the server`;
}

/**
 * Returns the reason why a path isn't a regular file; null for a regular file, a missing one, and a path that can't be
 * examined.
 */
export function nonRegularFileFault(file: string): string | null {
  try {
    const found = statSync(file, { throwIfNoEntry: false });
    if (found === undefined) return lstatSync(file, { throwIfNoEntry: false }) ? "it is a link to nothing" : null;
    if (found.isDirectory()) return "there is a folder in the place of a file";
    return found.isFile() ? null : "it is not a regular file";
  } catch {
    return null;
  }
}
