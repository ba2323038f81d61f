/** Fetches a branch of the remote into a temporary repository, as a push does with its objects. */
import { mkdtemp, readdir, stat } from "node:fs/promises";
import path from "node:path";
import { limits } from "#core/limits.ts";
import { largestAllocation, openQuarantine, quarantineRepository, type Quarantine } from "../git/quarantine.ts";
import { historyRef, mainRef } from "../repository/bare-repository.ts";
import { createFolderOnDisk, realDisk } from "../repository/disk.ts";
import { runGit } from "../repository/git-process.ts";
import { readRef } from "../repository/refs.ts";
import { RemoteProblem } from "../outgoing/addresses.ts";
import type { PushPass } from "./push.ts";
import { openRemote, type OpenRemote } from "./remote.ts";
import { refusals } from "./refusals.ts";

export interface FetchedBranch {
  /** A folder that only this fetch uses. */
  folder: string;
  /** A repository that has the fetched branch and reads all other objects from the company's repository. */
  gitdir: string;
  quarantine: Quarantine;
  /** The latest commit of the branch. */
  head: string;
  /** The remote, opened from this repository. */
  open: OpenRemote;
  remove(): Promise<void>;
}

const settings = ["fetch.fsckObjects=true", "fetch.unpackLimit=1", "maintenance.auto=false"];
const fetchedRef = "refs/fetched";
const lookEveryMs = 250;

export function folderOfFetches(dataDir: string): string {
  return path.join(dataDir, "mirrors");
}

/**
 * Fetches a branch. The caller must call `remove` of the result.
 * @param ref the branch's full name
 * @param most the maximum number of bytes that the server downloads
 * @throws RemoteProblem
 */
export async function fetchRef(pass: PushPass, ref: string, most: number = limits.pushPacked): Promise<FetchedBranch> {
  const { services, git, mirror, remote, signal } = pass;
  const lender = services.repositories.path(mirror._id);
  const dir = folderOfFetches(services.config.dataDir);
  await createFolderOnDisk(realDisk, dir);
  const folder = await mkdtemp(path.join(dir, "fetch-"));
  const removeFolder = () => realDisk.remove(folder);
  try {
    const heads = await Promise.all([mainRef, historyRef].map((name) => readRef(realDisk, lender, name)));
    const known = heads.filter((head) => head !== null);
    const body = { path: "", packAt: 0, objects: 0 };
    const quarantine = await openQuarantine({ git: git ?? "", folder, body, gitdir: lender, heads: known, signal });
    const gitdir = quarantineRepository(folder);
    const tooLarge = new AbortController();
    const either = AbortSignal.any([signal, tooLarge.signal]);
    const open = await openRemote(remote, { git, hosts: services.config.mirrorHosts, gitdir, signal: either });
    const look = async () => (await packBytesIn(gitdir)) > most && tooLarge.abort();
    const watch = setInterval(() => void look(), lookEveryMs);
    try {
      const config = settings.flatMap((one) => ["-c", one]);
      const flags = ["--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules"];
      await open.run([...config, "fetch", ...flags, open.url, `+${ref}:${fetchedRef}`], {
        as: "mirrorBranch",
        largestAllocation,
      });
      await look();
      tooLarge.signal.throwIfAborted();
    } catch (error) {
      if (!tooLarge.signal.aborted) throw error;
      throw new RemoteProblem(refusals.largeRef({ ref, mebibytes: Math.round(most / 1024 / 1024) }));
    } finally {
      clearInterval(watch);
    }
    const { stdout } = await runGit(git ?? "", gitdir, ["rev-parse", fetchedRef], { as: "pushedObjects" });
    return { folder, gitdir, quarantine, head: stdout.toString("utf8").trim(), open, remove: removeFolder };
  } catch (error) {
    await removeFolder().catch(() => undefined);
    throw error;
  }
}

/** Sums the bytes of the packs, including a pack that is still arriving. */
async function packBytesIn(gitdir: string): Promise<number> {
  const packs = path.join(gitdir, "objects/pack");
  const names = await readdir(packs).catch(() => []);
  const sizes = await Promise.all(
    names.map(async (name) => (await stat(path.join(packs, name)).catch(() => ({ size: 0 }))).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
