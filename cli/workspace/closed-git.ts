/**
 * Runs git in a new, empty repository with closed settings. It borrows objects and refs from a stranger's repository,
 * but nothing that could start a program: no settings, attributes, hooks, grafts, replacements or alternates.
 */
import { copyFile, lstat, mkdir, mkdtemp, readdir, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, delimiter, isAbsolute, join } from "node:path";
import { CannotProve, Difference } from "#core/repository/difference.ts";
import { runWorkspaceGit, type GitAnswer } from "./git.ts";

export interface ClosedRepository {
  /** Options for git's command line that close its settings. */
  settings: readonly string[];
  env: NodeJS.ProcessEnv;
  gitdir: string;
  /** The folder of files that were checked out; null for a bare repository and a bundle. */
  worktree: string | null;
  run(...args: string[]): Promise<GitAnswer>;
}

/** Options that override git's settings, so that git starts no program and reads index files only to find objects. */
const settings = [
  "core.bigFileThreshold=1m",
  "core.commitGraph=false",
  "core.deltaBaseCacheLimit=32m",
  "core.fsmonitor=false",
  "core.hooksPath=/dev/null",
  "core.multiPackIndex=false",
  "core.packedGitLimit=256m",
  "fetch.unpackLimit=1",
  "gc.auto=0",
  "pack.threads=1",
].flatMap((one) => ["-c", one]);
/** The maximum memory of a single allocation in git. */
const largestAllocation = "256m";
const longestHead = 4 * 1024;
const longestPackedRefs = 64 * 1024 * 1024;
const mostRefs = 200_000;

/**
 * Calls `use` with a repository that has the objects and refs of the clone, bare repository or bundle at the path.
 * @throws CannotProve if the path has no complete repository
 */
export async function withClosedRepository<T>(
  path: string,
  use: (repository: ClosedRepository) => Promise<T>,
): Promise<T> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "sop-verify-")));
  try {
    const gitdir = join(folder, "closed.git");
    const env = closedEnvironment(folder, gitdir);
    const run = (...args: string[]) => runWorkspaceGit(folder, [...settings, ...args], { env });
    const made = await runWorkspaceGit(folder, [...settings, "init", "--quiet", "--bare", "--template=", gitdir], {
      env: { ...env, GIT_DIR: undefined },
    });
    if (made.code !== 0) throw new CannotProve("git can't make a repository in the temporary folder");
    const worktree = (await lstat(path)).isDirectory()
      ? await borrowRepository(path, gitdir)
      : await fetchFromBundle(path, folder, env);
    return await use({ settings, env, gitdir, worktree, run });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns the environment for git, without the user's git variables such as `GIT_DIR` and `GIT_SSH_COMMAND`. */
function closedEnvironment(folder: string, gitdir: string): NodeJS.ProcessEnv {
  const { PATH = "", SystemRoot } = process.env;
  return {
    PATH: PATH.split(delimiter)
      .filter((one) => isAbsolute(one))
      .join(delimiter),
    ...(SystemRoot === undefined ? {} : { SystemRoot }),
    HOME: folder,
    XDG_CONFIG_HOME: folder,
    TMPDIR: folder,
    LC_ALL: "C",
    GIT_DIR: gitdir,
    GIT_ALLOC_LIMIT: largestAllocation,
    GIT_ALLOW_PROTOCOL: "none",
    GIT_ATTR_NOSYSTEM: "1",
    GIT_CEILING_DIRECTORIES: folder,
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_NO_LAZY_FETCH: "1",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_TERMINAL_PROMPT: "0",
  };
}

/** Fetches from a bundle file. `git clone` isn't used, because it could read a repository beside the bundle instead. */
async function fetchFromBundle(file: string, folder: string, env: NodeJS.ProcessEnv): Promise<null> {
  const flags = ["--quiet", "--no-write-fetch-head", "--no-auto-maintenance", "--no-recurse-submodules"];
  const args = [...settings, "fetch", ...flags, await realpath(file), "+refs/*:refs/*"];
  const { code } = await runWorkspaceGit(folder, args, { env: { ...env, GIT_ALLOW_PROTOCOL: "file" } });
  if (code !== 0) throw new Difference("git can't read the bundle: it is damaged or incomplete");
  return null;
}

/**
 * Lets the closed repository use the objects of the repository at the path, and copies its refs.
 * @returns the folder of the checked-out files; null for a bare repository
 */
async function borrowRepository(path: string, gitdir: string): Promise<string | null> {
  const inside = join(path, ".git");
  const kind = await pathKindOf(inside);
  if (kind === "file") throw new CannotProve("it is a linked work tree: name the repository itself");
  const lender = kind === "folder" ? inside : path;
  for (const name of ["objects", "refs"])
    if ((await pathKindOf(join(lender, name))) !== "folder") throw new CannotProve("it isn't a git repository");
  if ((await pathKindOf(join(lender, "reftable"))) !== null)
    throw new CannotProve("git keeps its refs in another format");
  if ((await pathKindOf(join(lender, "shallow"))) !== null)
    throw new CannotProve("the clone is shallow: run `git fetch --unshallow`");
  await assertPlainObjectFiles(join(lender, "objects"));
  await copyRefs(lender, gitdir);
  const place = (await realpath(join(lender, "objects"))).replaceAll("\\", "/");
  await mkdir(join(gitdir, "objects", "info"), { recursive: true });
  await writeFile(join(gitdir, "objects", "info", "alternates"), `${quotedForGit(place)}\n`);
  return lender === inside ? path : null;
}

/** Quotes a name as git expects it. */
const quotedForGit = (name: string) => `"${name.replaceAll(/["\\]/g, "\\$&").replaceAll("\n", "\\n")}"`;

async function pathKindOf(path: string): Promise<"file" | "folder" | "other" | null> {
  try {
    const found = await lstat(path);
    return found.isDirectory() ? "folder" : found.isFile() ? "file" : "other";
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    throw error;
  }
}

/** Refuses files at which git would wait (pipes) or leave the clone (links, alternates). */
async function assertPlainObjectFiles(objects: string): Promise<void> {
  for (const entry of await readdir(objects, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() && !entry.isDirectory()) throw new CannotProve(`objects/${entry.name} isn't a plain file`);
    if (entry.name === "alternates" || entry.name === "http-alternates")
      throw new CannotProve("it borrows objects of another repository: clone it again without --shared");
    if (entry.name.endsWith(".promisor"))
      throw new CannotProve("the clone is partial: clone it again without --filter");
  }
}

async function copyRefs(lender: string, gitdir: string): Promise<void> {
  await copyPlainFile(lender, gitdir, "HEAD", longestHead);
  await copyPlainFile(lender, gitdir, "packed-refs", longestPackedRefs);
  let count = 0;
  const copyFolder = async (folder: string): Promise<void> => {
    await mkdir(join(gitdir, folder), { recursive: true });
    for (const entry of await readdir(join(lender, folder), { withFileTypes: true })) {
      const name = `${folder}/${entry.name}`;
      if ((count += 1) > mostRefs) throw new CannotProve("it has too many refs");
      if (entry.isDirectory()) await copyFolder(name);
      else await copyPlainFile(lender, gitdir, name, longestHead);
    }
  };
  await copyFolder("refs");
}

async function copyPlainFile(from: string, to: string, name: string, most: number): Promise<void> {
  const kind = await pathKindOf(join(from, name));
  if (kind === null) return;
  if (kind !== "file" || (await lstat(join(from, name))).size > most)
    throw new CannotProve(`${basename(name)} isn't a plain file of git`);
  await copyFile(join(from, name), join(to, name));
}
