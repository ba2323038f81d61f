/** Writes an export as a folder: complete or not at all. */
import { randomUUID } from "node:crypto";
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join, resolve, sep } from "node:path";
import { CliError, exit } from "../exit.ts";
import { writeFileAtomically } from "../files.ts";

export type WriteFile = (path: string, data: string | Uint8Array) => Promise<void>;

/** @returns the paths written, relative to `target`, sorted */
export async function writeFolder(target: string, fill: (writeFile: WriteFile) => Promise<void>): Promise<string[]> {
  const isThere = (await readdir(target).catch(() => null)) !== null;
  // The staging folder is on the same disk as the target, so that each file can be renamed into place.
  const staging = join(
    isThere ? target : dirname(target),
    `.${basename(target)}.${randomUUID().slice(0, 8)}.sop-export`,
  );
  try {
    await mkdir(staging, { recursive: true });
    const written = new Set<string>();
    await fill(async (path, data) => {
      written.add(path);
      await writeFileAtomically(inside(staging, path), data);
    });
    const paths = [...written].sort();
    if (isThere) await moveInto(staging, target, paths);
    else await rename(staging, target);
    return paths;
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

/** File names come from the server, so none can be allowed to lead out of the folder. */
function inside(folder: string, path: string): string {
  const file = resolve(folder, path);
  if (file.startsWith(folder + sep)) return file;
  throw new CliError(exit.network, {
    code: "unexpected_answer",
    message: `the server names a file outside the folder: ${path}`,
  });
}

/** Replaces each existing file with the new one by a rename. */
async function moveInto(staging: string, target: string, written: readonly string[]): Promise<void> {
  for (const path of written) {
    const file = inside(target, path);
    await mkdir(dirname(file), { recursive: true });
    await rename(inside(staging, path), file);
  }
}
