/**
 * Files appear whole or not at all: written under another name, then renamed. isomorphic-git writes in place and never
 * rewrites an existing object, so a torn one would stay for good. No fsync here: after a power loss the start-up check
 * finds torn files, and the repository is rebuilt from the ledger. Packs are synced by their writer.
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
      // The first object of its folder.
      await makeFolder(disk, path.slice(0, path.lastIndexOf("/")));
      await disk.rename(temporary, path);
    });
  } catch (error) {
    await unlinkIfThere(disk, temporary).catch(() => undefined);
    throw error;
  }
}

/** The `fs` isomorphic-git gets. Unfinished files lie in the repository's `objects` folder. */
export function atomicFs(disk: Disk, gitdir: string) {
  const refuse = (): Promise<never> => Promise.reject(new Error("a bare repository holds no links"));
  return {
    promises: {
      readFile: async (path: string, options?: string | { encoding?: string }) => {
        const data = await disk.readFile(path);
        const encoding = typeof options === "string" ? options : options?.encoding;
        return encoding === undefined ? data : data.toString("utf8");
      },
      writeFile: (path: string, data: Uint8Array | string) => writeAtomically(disk, `${gitdir}/objects`, path, data),
      mkdir: (path: string) => disk.mkdir(path),
      rmdir: (path: string) => disk.rmdir(path),
      unlink: (path: string) => disk.unlink(path),
      readdir: (path: string) => disk.readdir(path),
      // Asked before every object: it is there, or writing into it fails.
      stat: async (path: string) =>
        path === gitdir ? { isFile: () => false, isDirectory: () => true } : disk.stat(path),
      lstat: (path: string) => disk.stat(path),
      readlink: refuse,
      symlink: refuse,
    },
  };
}
