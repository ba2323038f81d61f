/**
 * Writes files completely or not at all: under another name, then renamed. isomorphic-git writes in place, so a crash
 * would leave an incomplete object. Without fsync, a power loss can leave one too; the check at the start finds it, and
 * the repository is rebuilt from the ledger. Git syncs its packs.
 */
import { randomBytes } from "node:crypto";
import { errorCodeOf, createFolderOnDisk, unlinkIfThere, type Disk } from "./disk.ts";

const token = randomBytes(6).toString("hex");
let count = 0;

/** The prefix of git for unfinished objects, so that `git gc` removes them too. */
const temporaryPrefix = "tmp_obj_";

/** Writes a file through `folder`, which must be on the same disk. */
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
      if (errorCodeOf(error) !== "ENOENT") throw error;
      // this is the first object of its folder, so the folder is missing
      await createFolderOnDisk(disk, path.slice(0, path.lastIndexOf("/")));
      await disk.rename(temporary, path);
    });
  } catch (error) {
    await unlinkIfThere(disk, temporary).catch(() => undefined);
    throw error;
  }
}

const missingFileError = Object.assign(new Error("isomorphic-git must not know what is there"), { code: "ENOENT" });

/** The `fs` for isomorphic-git. Unfinished files are in the repository's `objects` folder. */
export function createAtomicFs(disk: Disk, gitdir: string) {
  const refuseLink = (): Promise<never> => Promise.reject(new Error("a bare repository holds no links"));
  return {
    promises: {
      // isomorphic-git calls this without a path before each object, to learn whether it returns a promise
      readFile: async (path: string | undefined, options?: string | { encoding?: string }) => {
        if (path === undefined) throw missingFileError;
        const data = await disk.readFile(path);
        const encoding = typeof options === "string" ? options : options?.encoding;
        return encoding === undefined ? data : data.toString("utf8");
      },
      writeFile: (path: string, data: Uint8Array | string) => writeAtomically(disk, `${gitdir}/objects`, path, data),
      mkdir: (path: string) => disk.mkdir(path),
      rmdir: (path: string) => disk.rmdir(path),
      unlink: (path: string) => disk.unlink(path),
      readdir: (path: string) => disk.readdir(path),
      // isomorphic-git looks for each object before it writes it, which takes as long as the write. An existing object
      // would get the same bytes again
      stat: (path: string) =>
        path === gitdir
          ? Promise.resolve({ isFile: () => false, isDirectory: () => true })
          : Promise.reject(missingFileError),
      lstat: (path: string) => disk.stat(path),
      readlink: refuseLink,
      symlink: refuseLink,
    },
  };
}
