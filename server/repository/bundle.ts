/** Packs a whole repository into a single file: git's own bundle. */
import { initializeRepository } from "./bare-repository.ts";
import type { Disk } from "./disk.ts";
import { gitOutput } from "./git-process.ts";
import { packRefs } from "./refs.ts";

/** Raised when a repository needs more than its refs and their objects. */
export const bundleFormat = "1";

export async function writeBundle(binary: string, gitdir: string, file: string): Promise<void> {
  await gitOutput(binary, gitdir, ["bundle", "create", "--quiet", file, "--all"], { as: "maintenance" });
}

/** Creates the repository, completely or not at all. @throws Error with git's words for a damaged bundle */
export async function openBundle(disk: Disk, binary: string, file: string, gitdir: string): Promise<void> {
  const fresh = `${gitdir}.new`;
  await disk.remove(fresh);
  await initializeRepository(disk, fresh);
  try {
    const lines = (await gitOutput(binary, fresh, ["bundle", "unbundle", file], { as: "maintenance" }))
      .toString("utf8")
      .trim()
      .split("\n");
    const refs = lines.map((line) => [line.slice(41), line.slice(0, 40)] as const);
    await packRefs(disk, fresh, new Map(refs.filter(([name]) => name.startsWith("refs/"))));
    await disk.rename(fresh, gitdir);
  } catch (error) {
    await disk.remove(fresh);
    throw error;
  }
}
