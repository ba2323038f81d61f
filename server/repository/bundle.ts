/** Packs a whole repository into a single file in git's bundle format. */
import { initializeRepository } from "./bare-repository.ts";
import type { Disk } from "./disk.ts";
import { readGitOutput } from "./git-process.ts";
import { writePackedRefs } from "./refs.ts";

/** The format of a copy. It must be raised when a repository needs more than its refs and their objects. */
export const bundleFormat = "1";

export async function writeBundle(binary: string, gitdir: string, file: string): Promise<void> {
  await readGitOutput(binary, gitdir, ["bundle", "create", "--quiet", file, "--all"], { as: "maintenance" });
}

/**
 * Creates a repository from a bundle, completely or not at all.
 * @throws Error with git's words for a damaged bundle
 */
export async function createRepositoryFromBundle(
  disk: Disk,
  binary: string,
  file: string,
  gitdir: string,
): Promise<void> {
  const fresh = `${gitdir}.new`;
  await disk.remove(fresh);
  await initializeRepository(disk, fresh);
  try {
    const lines = (await readGitOutput(binary, fresh, ["bundle", "unbundle", file], { as: "maintenance" }))
      .toString("utf8")
      .trim()
      .split("\n");
    const refs = lines.map((line) => [line.slice(41), line.slice(0, 40)] as const);
    await writePackedRefs(disk, fresh, new Map(refs.filter(([name]) => name.startsWith("refs/"))));
    await disk.rename(fresh, gitdir);
  } catch (error) {
    await disk.remove(fresh);
    throw error;
  }
}
