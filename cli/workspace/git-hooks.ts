/** Sets up git hooks for a workspace in any folder of a repository. */
import { existsSync, readdirSync } from "node:fs";
import { dirname, relative, resolve, sep } from "node:path";
import { invalidInputError } from "../exit.ts";
import { runWorkspaceGit } from "./git.ts";

/**
 * Returns the path of a folder in its repository, such as `docs/`; "" at the top. The folder need not exist yet.
 * @returns null outside a repository
 */
export async function findPathInRepository(root: string): Promise<string | null> {
  let at = root;
  while (!existsSync(at)) at = dirname(at);
  const { code, stdout } = await runWorkspaceGit(at, ["rev-parse", "--show-prefix"]);
  if (code !== 0) return null;
  const below = relative(at, root);
  return stdout.trimEnd() + (below === "" ? "" : `${below.replaceAll(sep, "/")}/`);
}

/** @throws exit 2 if other hooks would stop running */
export async function refuseOtherHooks(root: string, own: string): Promise<void> {
  let at = root;
  while (!existsSync(at)) at = dirname(at);
  const named = (await runWorkspaceGit(at, ["config", "core.hooksPath"])).stdout.trim();
  if (named === own) return;
  const folder =
    named === "" ? (await runWorkspaceGit(at, ["rev-parse", "--git-path", "hooks"])).stdout.trimEnd() : named;
  if (named === "" && !hasHooks(resolve(at, folder))) return;
  throw invalidInputError("hooks_taken", `--hooks: git runs the hooks in ${folder} here, and would no longer`, {
    hint: "call `sop lint` from its pre-commit; --force puts ours in their place",
  });
}

function hasHooks(folder: string): boolean {
  return existsSync(folder) && readdirSync(folder).some((name) => !name.endsWith(".sample"));
}
