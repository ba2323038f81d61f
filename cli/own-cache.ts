/** Finds a private folder for compiled code. Node runs this code, so no other user can be allowed to write there. */
import { lstatSync, mkdirSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import process from "node:process";
import { homeFolder } from "./home.ts";

const writableByOthers = 0o022;
const openToOthers = 0o077;
const sticky = 0o1000;

/** @returns null if there is no private folder; code is then compiled on each start */
export function ownCacheFolder(env: NodeJS.ProcessEnv = process.env): string | null {
  const windows = process.platform === "win32" && env["LOCALAPPDATA"];
  const base = env["XDG_CACHE_HOME"] || windows || join(homeFolder(), ".cache");
  const folder = join(base, "sopwright", "compiled");
  try {
    if (!isAbsolute(base)) return null;
    for (const one of [base, dirname(folder), folder]) createFolderIfMissing(one);
    return isPrivateFolder(folder) ? realpathSync(folder) : null;
  } catch {
    return null;
  }
}

/**
 * Creates a folder unless it exists, one at a time: with `recursive`, Node would retry forever where a system refuses
 * folders, such as in `/proc`.
 */
function createFolderIfMissing(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

/** Says whether a folder belongs to this user alone and no other user can replace a folder above it. */
export function isPrivateFolder(folder: string, user: number | undefined = process.getuid?.()): boolean {
  // Windows uses access lists instead of modes, and those of the user's own folder are private.
  if (user === undefined) return true;
  const own = lstatSync(folder);
  if (!own.isDirectory() || own.uid !== user || (own.mode & openToOthers) !== 0) return false;
  const real = realpathSync(folder);
  for (let [at, above] = [real, dirname(real)]; at !== above; [at, above] = [above, dirname(above)]) {
    const { uid, mode } = lstatSync(above);
    if (uid !== user && uid !== 0) return false;
    // In a sticky folder such as /tmp users can rename only their own entries, and `at` belongs to this user or the
    // system.
    if ((mode & writableByOthers) !== 0 && (mode & sticky) === 0) return false;
  }
  return true;
}
