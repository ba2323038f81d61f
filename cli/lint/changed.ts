/** Lists the files that git reports as changed, either since a commit or since the last one. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { invalidInputError } from "../exit.ts";
import { runGit } from "../limited-program.ts";

const gitOutputBytesAtMost = 64 * 1024 * 1024;

/**
 * Returns absolute paths of changed and new files. Compares with the commit at which the current branch left the branch
 * or commit `ref`, or with the last commit if `ref` is `true`.
 * @throws exit 2 outside a repository, without git, or for a ref that does not exist
 */
export async function findChangedFiles(ref: string | true, cwd: string, signal: AbortSignal): Promise<Set<string>> {
  const gitOutput = (...args: string[]) =>
    new Promise<string>((resolve, reject) => {
      const options = { cwd, maxBuffer: gitOutputBytesAtMost, signal, encoding: "utf8" } as const;
      runGit(args, options, (error, stdout) => (error === null ? resolve(stdout) : reject(error)));
    });
  // A relative path is joined with `cwd`, so that paths are spelled like the working folder.
  const top = await gitOutput("rev-parse", "--show-cdup").catch((error: unknown) => {
    signal.throwIfAborted();
    if ((error as NodeJS.ErrnoException).code === "ENOENT")
      throw invalidInputError("no_git", "--changed: git is not installed");
    throw invalidInputError("no_git", `--changed: ${cwd} isn't in a git repository`);
  });
  const root = resolve(cwd, top.replace(/\n$/, ""));
  const since = await findBaseCommit(ref, gitOutput, cwd);
  const changed =
    since === null ? "" : await gitOutput("diff", "--name-only", "--diff-filter=d", "--no-renames", "-z", since, "--");
  const tracked = since === null ? await gitOutput("ls-files", "-z", "--full-name", ":/") : "";
  const others = await gitOutput("ls-files", "--others", "--exclude-standard", "-z", "--full-name", ":/");
  const names = `${changed}${tracked}${others}`.split("\0").filter((name) => name !== "");
  return new Set(names.map((name) => resolve(root, name)));
}

/** Returns the commit to compare with; null if there is no commit yet. */
async function findBaseCommit(
  ref: string | true,
  git: (...args: string[]) => Promise<string>,
  cwd: string,
): Promise<string | null> {
  const name = ref === true ? "HEAD" : ref;
  const commit = await git("rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`).catch(
    () => null,
  );
  if (commit === null) {
    if (ref === true) return null;
    const hint = existsSync(resolve(cwd, ref))
      ? `${ref} is a path: write it before --changed, or name a commit first`
      : "name a branch, tag or commit; in CI fetch the whole history (fetch-depth: 0)";
    throw invalidInputError("no_ref", `--changed ${ref}: commit not found`, { hint });
  }
  if (ref === true) return commit.trim();
  const base = await git("merge-base", commit.trim(), "HEAD").catch(() => null);
  if (base === null) {
    throw invalidInputError("no_ref", `--changed ${ref}: it has no commit in common with HEAD`, {
      hint: "in CI fetch the whole history (fetch-depth: 0)",
    });
  }
  return base.trim();
}
