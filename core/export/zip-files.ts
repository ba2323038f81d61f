import { zipSync, type Zippable } from "fflate";

/** The earliest date in a zip. All entries have it, so that the same content gives the same file. */
const zipTime = "1980-01-01T00:00:00";

/** Zips the files, sorted by name, all with the same date. */
export function zipFiles(files: Record<string, Uint8Array>): Uint8Array {
  const entries: Zippable = {};
  for (const name of Object.keys(files).sort())
    entries[name] = [files[name] as Uint8Array, { level: 6, mtime: zipTime }];
  return zipSync(entries);
}
