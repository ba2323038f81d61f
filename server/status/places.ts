/** Finds folders that the server needs but can't use. Texts have no paths, because strangers can read `/readyz`. */
import { access, constants, stat, statfs } from "node:fs/promises";
import path from "node:path";
import type { Config } from "../config.ts";
import { isAccessDeniedError } from "../file-errors.ts";

/** Finds the fault of a folder in `DATA_DIR`; null if this user can use the folder, or the folder is missing. */
export async function findFolderFault(dataDir: string, name: "repositories" | "search"): Promise<string | null> {
  const folder = path.join(dataDir, name);
  try {
    if (!(await stat(folder)).isDirectory())
      return `${name} of DATA_DIR is a file in the place of a folder: move it away`;
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return null;
  } catch (error) {
    return isAccessDeniedError(error) ? `this user can't use the folder ${name} of DATA_DIR` : null;
  }
}

/** Finds the fault of the file or folder that WITNESS_FILE or FONTS_DIR names; null if there is none. */
export async function findConfiguredPathFault({
  witnessFile,
  fontsDir,
  dataDir,
}: Pick<Config, "witnessFile" | "fontsDir" | "dataDir">): Promise<string | null> {
  const canAccess = (place: string, mode: number) =>
    access(place, mode).then(
      () => true,
      () => false,
    );
  const statOrNull = (place: string) => stat(place).catch(() => null);
  if (witnessFile !== null) {
    const folder = path.dirname(witnessFile);
    if (!(await statOrNull(folder))?.isDirectory() || !(await canAccess(folder, constants.W_OK)))
      return "WITNESS_FILE: its folder is missing, or this user can't write there";
    const file = await statOrNull(witnessFile);
    if (file?.isDirectory()) return "WITNESS_FILE: there is a folder in the place of the file";
    if (file !== null && !(await canAccess(witnessFile, constants.W_OK)))
      return "WITNESS_FILE: this user can't write it";
  }
  if (fontsDir === path.join(dataDir, "fonts")) return null;
  if (!(await canAccess(fontsDir, constants.R_OK)))
    return "FONTS_DIR: the folder is missing, or this user can't read it";
  return (await statOrNull(fontsDir))?.isDirectory() ? null : "FONTS_DIR: there is a file in the place of the folder";
}

/** Reads the share of the disk that is free, from 0 to 1; null if the system doesn't report it. */
export async function readFreeDiskShare(dir: string): Promise<number | null> {
  const disk = await statfs(dir).catch(() => null);
  return disk === null || disk.blocks === 0 ? null : disk.bavail / disk.blocks;
}
