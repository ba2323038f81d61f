/** Finds a private folder for compiled code. Node runs the files in the folder, so no other user may write there. */
import { lstatSync, mkdirSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import process from "node:process";
import { homeFolder } from "./home.ts";

const writableByOthers = 0o022;
const openToOthers = 0o077;
const sticky = 0o1000;

/**
 * Finds or creates the private folder for compiled code.
 * @returns null if no private folder is possible. Code is then compiled at each start
 */
export function ownCacheFolder(env: NodeJS.ProcessEnv = process.env): string | null {
  const windows = process.platform === "win32" && env["LOCALAPPDATA"];
  const base = env["XDG_CACHE_HOME"] || windows || join(homeFolder(), ".cache");
  const folder = join(base, "sopwright", "compiled");
  try {
    if (!isAbsolute(base)) return null;
    for (const one of [base, dirname(folder), folder]) makeCacheFolder(one);
    return isPrivateFolder(folder) ? realpathSync(folder) : null;
  } catch {
    return null;
  }
}

/**
 * Creates a folder. Doesn't use `recursive`: if a file system refuses folders, as in `/proc`, Node would try forever.
 */
function makeCacheFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

/** Says whether only this user can write to the folder, and no other user can replace it or a folder above it. */
function isPrivateFolder(folder: string, user: number | undefined = process.getuid?.()): boolean {
  // Windows has access control lists instead of modes, and those protect the user's own folder
  if (user === undefined) return true;
  const own = lstatSync(folder);
  if (!own.isDirectory() || own.uid !== user || (own.mode & openToOthers) !== 0) return false;
  const real = realpathSync(folder);
  for (let [at, above] = [real, dirname(real)]; at !== above; [at, above] = [above, dirname(above)]) {
    const { uid, mode } = lstatSync(above);
    if (uid !== user && uid !== 0) return false;
    // in a sticky folder such as /tmp, users can only rename their own entries, so no other user can replace `at`
    if ((mode & writableByOthers) !== 0 && (mode & sticky) === 0) return false;
  }
  return true;
}
