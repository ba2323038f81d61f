/** A folder for compiled code. Node runs what lies there, so no other user of the machine can put anything into it. */
import { lstatSync, mkdirSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import process from "node:process";
import { homeFolder } from "./home.ts";

const writableByOthers = 0o022;
const openToOthers = 0o077;
const sticky = 0o1000;

/** @returns null where there is no private place: code is then compiled anew */
export function ownCacheFolder(env: NodeJS.ProcessEnv = process.env): string | null {
  const windows = process.platform === "win32" && env["LOCALAPPDATA"];
  const base = env["XDG_CACHE_HOME"] || windows || join(homeFolder(), ".cache");
  const folder = join(base, "sopwright", "compiled");
  try {
    if (!isAbsolute(base)) return null;
    for (const one of [base, dirname(folder), folder]) makeFolder(one);
    return isPrivate(folder) ? realpathSync(folder) : null;
  } catch {
    return null;
  }
}

/** Not `recursive`: where a system refuses folders, as in `/proc`, Node would try for ever. */
function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

/** Is it this user's alone, in folders where no other user can exchange it? */
function isPrivate(folder: string, user: number | undefined = process.getuid?.()): boolean {
  // Windows has lists of rights instead, and the user's own folder has them
  if (user === undefined) return true;
  const own = lstatSync(folder);
  if (!own.isDirectory() || own.uid !== user || (own.mode & openToOthers) !== 0) return false;
  const real = realpathSync(folder);
  for (let [at, above] = [real, dirname(real)]; at !== above; [at, above] = [above, dirname(above)]) {
    const { uid, mode } = lstatSync(above);
    if (uid !== user && uid !== 0) return false;
    // in a folder such as /tmp, users rename only what is theirs: `at` is this user's or the system's
    if ((mode & writableByOthers) !== 0 && (mode & sticky) === 0) return false;
  }
  return true;
}
