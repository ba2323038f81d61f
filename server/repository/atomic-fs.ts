/**
 * Files appear whole or not at all: written under another name, then renamed. isomorphic-git writes in place, so a crash
 * would leave a torn object. No fsync here: after a power loss the start-up check finds torn files, and the repository is
 * rebuilt from the ledger. Git syncs its packs.
 */
import { randomBytes } from "node:crypto";
import { errorCode, makeFolder, unlinkIfThere, type Disk } from "./disk.ts";

const token = randomBytes(6).toString("hex");
let count = 0;

/** git's own prefix for unfinished objects, so `git gc` knows them too. */
const temporaryPrefix = "tmp_obj_";

/** Writes a file by way of `folder`, which lies on the same disk. */
export async function writeAtomically(
  disk: Disk,
  folder: string,
  path: string,
  data: Uint8Array | string,
): Promise<void> {
  count += 1;
  const temporary = `${folder}/${temporaryPrefix}${token}_${count}`;
  try {
    await disk.writeFile(temporary, data, "wx");
    await disk.rename(temporary, path).catch(async (error: unknown) => {
      if (errorCode(error) !== "ENOENT") throw error;
      // This is the first object of its folder: create the folder.
      await makeFolder(disk, path.slice(0, path.lastIndexOf("/")));
      await disk.rename(temporary, path);
    });
  } catch (error) {
    await unlinkIfThere(disk, temporary).catch(() => undefined);
    throw error;
  }
}

const notThere = Object.assign(new Error("isomorphic-git must not know what is there"), { code: "ENOENT" });

/** The `fs` isomorphic-git gets. Unfinished files lie in the repository's `objects` folder. */
export function atomicFs(disk: Disk, gitdir: string) {
  const refuse = (): Promise<never> => Promise.reject(new Error("a bare repository holds no links"));
  return {
    promises: {
      // called without a path before each object, to learn whether this answers with promises
      readFile: async (path: string | undefined, options?: string | { encoding?: string }) => {
        if (path === undefined) throw notThere;
        const data = await disk.readFile(path);
        const encoding = typeof options === "string" ? options : options?.encoding;
        return encoding === undefined ? data : data.toString("utf8");
      },
      writeFile: (path: string, data: Uint8Array | string) => writeAtomically(disk, `${gitdir}/objects`, path, data),
      mkdir: (path: string) => disk.mkdir(path),
      rmdir: (path: string) => disk.rmdir(path),
      unlink: (path: string) => disk.unlink(path),
      readdir: (path: string) => disk.readdir(path),
      // isomorphic-git asks before each object, as slow as a write. An existing object gets the same bytes again
      stat: (path: string) =>
        path === gitdir ? Promise.resolve({ isFile: () => false, isDirectory: () => true }) : Promise.reject(notThere),
      lstat: (path: string) => disk.stat(path),
      readlink: refuse,
      symlink: refuse,
    },
  };
}
