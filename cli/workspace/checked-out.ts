/**
 * Compares a clone's files with the checked-out commit. `git status` isn't used, because it would run filters from the
 * clone.
 */
import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { lstat, open } from "node:fs/promises";
import { join } from "node:path";
import { Difference } from "#core/repository/difference.ts";
import type { ClonedRepository } from "#core/repository/cloned-facts.ts";
import { readTreeObject } from "#core/repository/cloned-folder.ts";
import { objectId } from "#core/repository/objects.ts";

const largestFile = 16 * 1024 * 1024;
const sha1OfParts = (...parts: Uint8Array[]) =>
  parts.reduce((hash, part) => hash.update(part), createHash("sha1")).digest("hex");

/**
 * Checks that every file of the tree is in the folder with the same bytes. Allows line ends of Windows, and ignores
 * files that aren't in the tree.
 * @param tree null if nothing is checked out
 * @throws Difference at the first file that differs
 */
export async function assertWorktreeMatches(
  worktree: string,
  tree: string | null,
  read: ClonedRepository["read"],
): Promise<void> {
  const checkFolder = async (oid: string, folder: string): Promise<void> => {
    const object = await read(oid);
    if (object?.type !== "tree" || objectId("tree", object.content, sha1OfParts) !== oid)
      throw new Difference(`object ${oid} is missing, damaged or too large`);
    for (const [name, entry] of readTreeObject(oid, object.content)) {
      const path = folder + name;
      const isPlain = !/^(?:\.{0,2}|\.git)$|[/\\]/i.test(name);
      if (isPlain && entry.mode === "40000" && (await isFolderPath(join(worktree, path))))
        await checkFolder(entry.oid, `${path}/`);
      else if (!isPlain || !entry.mode.startsWith("100") || !(await fileMatchesObject(join(worktree, path), entry.oid)))
        throw new Difference(`files differ from their commit: ${path}`);
    }
  };
  if (tree !== null) await checkFolder(tree, "");
}

async function isFolderPath(path: string): Promise<boolean> {
  return await lstat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

async function fileMatchesObject(path: string, oid: string): Promise<boolean> {
  const content = await readPlainFile(path);
  if (content === null) return false;
  if (objectId("blob", content, sha1OfParts) === oid) return true;
  const asCommitted = Buffer.from(content.toString("latin1").replaceAll("\r\n", "\n"), "latin1");
  return objectId("blob", asCommitted, sha1OfParts) === oid;
}

/**
 * Reads a plain file; null for anything else. A link could lead out of the clone, and reading a pipe would never end.
 */
async function readPlainFile(path: string): Promise<Buffer | null> {
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(() => null);
  try {
    const found = await file?.stat();
    return file && found?.isFile() && found.size <= largestFile ? await file.readFile() : null;
  } finally {
    await file?.close();
  }
}
