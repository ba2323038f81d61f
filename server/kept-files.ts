/** Checks the files of `DATA_DIR`. Docker creates a folder in place of a file if the file to mount is missing. */
import { lstatSync, statSync } from "node:fs";
import path from "node:path";

/** Thrown if the server can't use a data folder. The message names the problem and how to fix it. */
export class DataFolderError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "DataFolderError";
  }
}

/**
 * The files in `DATA_DIR` that must be regular files. Copies that can be lost, such as `sopwright.db-schema`, aren't
 * listed. Nor is `keys`: its readers check it, and a backup without keys doesn't need it.
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
 * Checks the listed files. Call it before the first of them is opened, because opening a pipe would wait forever.
 * @throws DataFolderError
 */
export function assertRegularFiles(dataDir: string): void {
  for (const name of keptFiles) {
    const file = path.join(dataDir, name);
    const fault = faultOfFile(file);
    if (fault !== null)
      throw new DataFolderError(
        `${file}: ${fault}. Move it away. If the file was there before, put it back from a copy`,
      );
  }
}

/** Returns the warning for operators while the server can't store its copy of the list of tables. */
export function schemaCopyWarning(dataDir: string): string | null {
  const fault = faultOfFile(path.join(dataDir, "sopwright.db-schema"));
  return fault === null ? null : `sopwright.db-schema in DATA_DIR: ${fault}. Delete it and restart the server`;
}

/** Returns the reason why a path can't be a regular file; null if it is one, is missing or can't be examined. */
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
