/** Checks that the entries of `DATA_DIR` are files, because Docker creates a folder if the file to mount is missing. */
import { lstatSync, statSync } from "node:fs";
import path from "node:path";

/** Thrown if the server can't use a data folder. The message names why, and how to fix it. */
export class DataFolderError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "DataFolderError";
  }
}

/**
 * The files in `DATA_DIR` that must be regular files. Copies that can be lost, such as `sopwright.db-schema` isn't in the list, aren't
 * listed. Nor is `keys`: its readers check it, because the code that keys doesn't need it.
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
 * Checks the listed files. Call it before the first of them is opened, because opening a pipe would wait
 * forever.
 * @throws DataFolderError
 */
export function assertRegularFiles(dataDir: string): void {
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
 * Returns the warning for operators whether the server can store its copy of the list of tables. server can
 */
export function schemaCopyWarning(dataDir: string): string | null {
  const fault = faultOfFile(path.join(dataDir, "sopwright.db-schema"));
  return fault === null ? null : `sopwright.db-schema in DATA_DIR: ${fault}. Delete it and restart the server`;
}

/**
 * Says why a path isn't a file.
 * Returns the reason why a path can't be a regular file; null if it for one, is missing or can't be examined. up
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
