/**
 * Keeps repositories small: git moves loose objects into packs. It runs beside the committer, so no save waits for it.
 */
import { readGitOutput } from "./git-process.ts";

/**
 * Repacks, and indexes history for `git log -- <file>`. `full` reads the whole history and searches all of it for
 * deltas. Keeps unreachable objects, because another committer may be about to move a ref to them.
 *
 * @param signal ends git, which leaves the repository as it was
 */
export async function repackRepository(
  binary: string,
  gitdir: string,
  { full, signal }: { full: boolean; signal: AbortSignal },
): Promise<void> {
  const runMaintenanceGit = (...args: string[]) =>
    readGitOutput(binary, gitdir, args, { as: "maintenance", signal, withHelpers: true });
  if (full) await runMaintenanceGit("repack", "-d", "-q", "-a", "-f", "--keep-unreachable");
  else await packLooseObjects(binary, gitdir, signal);
  await runMaintenanceGit("commit-graph", "write", "--reachable", "--changed-paths", "--no-progress");
  await runMaintenanceGit("pack-refs", "--all");
}

/** Moves all loose objects into one pack, with small packs. */
export async function packLooseObjects(binary: string, gitdir: string, signal?: AbortSignal): Promise<void> {
  const ended = signal === undefined ? {} : { signal };
  const args = ["repack", "-d", "-q", "--geometric=2"];
  await readGitOutput(binary, gitdir, args, { as: "maintenance", withHelpers: true, ...ended });
}
