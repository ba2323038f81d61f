import { existsSync, statSync } from "node:fs";
import { chmod } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { exit, invalidInputError } from "../exit.ts";
import { readIfExists, writeFileAtomically } from "../files.ts";
import { workspaceConfigName } from "../workspace/find.ts";
import { runWorkspaceGit } from "../workspace/git.ts";
import { findPathInRepository, refuseOtherHooks } from "../workspace/git-hooks.ts";
import { fetchCiPackage } from "../workspace/ci-package.ts";
import { loadCiFiles, loadInitFiles, type InitFile, type InitChoices } from "../workspace/init-files.ts";
import type { CommandContext, CommandResult } from "../context.ts";

export interface InitOptions extends InitChoices {
  git?: boolean;
  force?: boolean;
}

type InitOutcome = "written" | "kept" | "unchanged";

export async function initWorkspace(
  context: CommandContext,
  folder: string | undefined,
  options: InitOptions,
): Promise<CommandResult> {
  const root = resolve(context.cwd, folder ?? ".");
  const shown = relative(context.cwd, root) || ".";
  const isUpdate = isCiOnly(options) && existsSync(join(root, workspaceConfigName));
  if (!isUpdate) refuseExistingWorkspace(root, shown, options.force === true);
  const place = await findUsablePathInRepository(root, shown, options);
  const forCi = options.ci && (await loadCiFiles(root, options.ci, await fetchCiPackage(context)));
  const files: { path: string; fate: InitOutcome }[] = [];
  for (const file of [...(isUpdate ? [] : await loadInitFiles(root, options)), ...(forCi ?? [])]) {
    context.signal.throwIfAborted();
    files.push({ path: file.path, fate: await writeInitFile(root, file, options.force === true) });
  }
  if (options.git && place === null) await runGitOrFail(root, ["init", "--quiet", "--initial-branch=main"]);
  if (options.hooks) await runGitOrFail(root, ["config", "core.hooksPath", hooksFolderOf(place)]);
  for (const { path, fate } of files) {
    if (fate === "kept") context.out.note(`${path} already exists and stays as it is (--force overwrites it)`);
  }
  const written = files.filter(({ fate }) => fate === "written").map(({ path }) => `+ ${path}\n`);
  if (isUpdate)
    return { exit: exit.done, data: { root, files }, text: written.join("") || "CI files are up to date\n" };
  const next = `Next: ${shown === "." ? "" : `cd ${shown} && `}sop new "Your first procedure"\n`;
  return { exit: exit.done, data: { root, files }, text: written.join("") + next };
}

/**
 * Says whether only --ci is given. It adds CI files to an existing workspace, or updates the package's SHA-512 in them.
 */
const isCiOnly = ({ ci, hooks, git: wantsGit, force }: InitOptions) =>
  ci !== undefined && !hooks && !wantsGit && !force;

/**
 * Returns the workspace's path within an existing repository. Null if the workspace isn't in one, or if the options
 * need no repository.
 * @throws exit 2 if Git or the CI service would never run the requested files
 */
async function findUsablePathInRepository(root: string, shown: string, options: InitOptions): Promise<string | null> {
  const { git: wantsGit, hooks, ci, force } = options;
  if (!wantsGit && !hooks && ci === undefined) return null;
  const requestedPlace = findPathInRepository(root);
  const place = await (wantsGit || hooks ? requestedPlace : requestedPlace.catch(() => null));
  if (ci !== undefined && place) {
    throw invalidInputError(
      "not_at_top",
      `--ci: ${shown} is inside a repository, which reads CI files only at its top`,
      {
        hint: "run sop init at the top of the repository, or leave out --ci",
      },
    );
  }
  if (!hooks) return place;
  if (place === null && !wantsGit) {
    throw invalidInputError("no_git", `--hooks: ${shown} isn't a git repository`, { hint: "add --git to create one" });
  }
  if (place !== null && !force) await refuseOtherHooks(root, hooksFolderOf(place));
  return place;
}

/** The folder of Git hooks, relative to the top of the repository. */
const hooksFolderOf = (place: string | null) => `${place ?? ""}.githooks`;

/** Refuses a folder that is a workspace already, and a path of a file. @throws exit 2; nothing is changed then */
function refuseExistingWorkspace(root: string, shown: string, force: boolean): void {
  if (existsSync(root) && !statSync(root).isDirectory())
    throw invalidInputError("exists", `${shown} is a file`, { path: shown });
  if (force || !existsSync(join(root, workspaceConfigName))) return;
  throw invalidInputError("exists", `${join(shown, workspaceConfigName)} exists: this is already a workspace`, {
    path: join(shown, workspaceConfigName),
    hint: "--force overwrites it",
  });
}

async function writeInitFile(
  root: string,
  { path, text, executable, joined }: InitFile,
  force: boolean,
): Promise<InitOutcome> {
  const file = join(root, path);
  const existing = await readIfExists(file);
  if (existing?.toString("utf8") === text) return "unchanged";
  if (existing !== null && !joined && !force) return "kept";
  await writeFileAtomically(file, text);
  if (executable) await chmod(file, 0o755);
  return "written";
}

async function runGitOrFail(root: string, args: readonly string[]): Promise<void> {
  const { code, stderr } = await runWorkspaceGit(root, args);
  if (code !== 0) throw invalidInputError("git", `git ${args[0]}: ${stderr.trim()}`);
}
