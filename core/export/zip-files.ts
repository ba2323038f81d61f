import { zipSync, type Zippable } from "fflate";

/**
 * The date of all files in a zip: the earliest possible one. It is constant, so that the same content gives the same
 * zip.
 */
const zipTime = "1980-01-01T00:00:00";

/** Zips the files, sorted by name, all with the same date. */
export function zipFiles(files: Record<string, Uint8Array>): Uint8Array {
  const entries: Zippable = {};
  for (const name of Object.keys(files).sort())
    entries[name] = [files[name] as Uint8Array, { level: 6, mtime: zipTime }];
  return zipSync(entries);
}
