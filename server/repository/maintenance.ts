/** Keeps repositories small: loose objects go into packs. Runs beside the committer; no save and no commit waits for it. */
import { randomBytes } from "node:crypto";
import type { ObjectType } from "#core/repository/objects.ts";
import { loosePath, looseObjects, readLoose } from "./bare-repository.ts";
import { namesIn, unlinkIfThere, type Disk } from "./disk.ts";
import { git } from "./git-process.ts";
import { createPack } from "./pack-writer.ts";

/**
 * Repacks, and indexes history for `git log -- <file>`. `full` reads the whole history and looks for deltas in all of
 * it. Objects that nothing reaches yet are kept: another committer may be about to move a ref onto them.
 *
 * @param signal ends git, which leaves the repository as it was
 */
export async function repack(
  disk: Disk,
  gitdir: string,
  binary: string | null,
  { full, signal }: { full: boolean; signal: AbortSignal },
): Promise<void> {
  if (binary === null) {
    await packLoose(disk, gitdir);
    return;
  }
  const how = full ? ["-a", "-f", "--keep-unreachable"] : ["--geometric=2"];
  const run = (...args: string[]) => git(binary, gitdir, args, { as: "maintenance", signal, withHelpers: true });
  await run("repack", "-d", "-q", ...how);
  await run("commit-graph", "write", "--reachable", "--changed-paths", "--no-progress");
  await run("pack-refs", "--all");
}

/** How many packs there are: without git they add up, and a rebuild makes one of them. */
export async function packCount(disk: Disk, gitdir: string): Promise<number> {
  return (await namesIn(disk, `${gitdir}/objects/pack`)).filter((name) => name.endsWith(".pack")).length;
}

/** Moves all loose objects into one new pack of ours. @returns how many */
export async function packLoose(disk: Disk, gitdir: string): Promise<number> {
  const oids = await looseObjects(disk, gitdir);
  const pack = await createPack(disk, gitdir, randomBytes(8).toString("hex"));
  try {
    for (const oid of oids) {
      const object = await readLoose(disk, gitdir, oid);
      const header = object.subarray(0, object.indexOf(0)).toString("latin1");
      await pack.put(objectType(header), oid, object.subarray(header.length + 1));
    }
    await pack.finish();
  } catch (error) {
    await pack.abort();
    throw error;
  }
  for (const oid of oids) await unlinkIfThere(disk, loosePath(gitdir, oid));
  return oids.length;
}

function objectType(header: string): ObjectType {
  const type = header.split(" ")[0];
  if (type === "blob" || type === "tree" || type === "commit") return type;
  throw new Error(`an object of type ${type} was not written by us`);
}
