/** Runs the git binary, if there is one: with argument lists, without a shell, and without the host's configuration. */
import type { ChildProcessByStdio } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import process from "node:process";
import { Readable, type Writable } from "node:stream";
import type { ProcessKind } from "#core/processes.ts";
import { startProgram } from "../capacity/start-process.ts";
import { lowerPriority } from "../capacity/yield-to-requests.ts";

/**
 * The setting for the size from which git stores files whole. Images are already compressed, so a search for deltas
 * would take minutes in vain. Texts are smaller.
 */
const wholeFrom = "core.bigFileThreshold=512k";
/** The setting that limits the packs that git maps into memory. No limit of a process counts mapped memory. */
const mappedAtMost = "core.packedGitLimit=256m";
const usualPlaces = ["/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"];

/** Finds git on a search path (`PATH`), or in the usual folders; null if there is none. */
export function findGit(searchPath?: string): string | null {
  const folders = searchPath?.split(":").filter((folder) => folder.startsWith("/")) ?? [];
  return [...folders, ...usualPlaces].map((folder) => `${folder}/git`).find((path) => existsSync(path)) ?? null;
}

export interface GitRun {
  code: number;
  /** True if the limit of processor time ended git. */
  isOverTime: boolean;
  stdout: Buffer;
  stderr: string;
}

export interface StartOptions {
  /** The limits of the process; default: those of `ownObjects`. */
  as?: ProcessKind;
  /** Settings as `key=value` for this run, passed with `-c`. */
  settings?: readonly string[];
  /** The value of the client's `Git-Protocol` header. */
  protocol?: string | undefined;
  /** Settings that lists of processes must not show, so they are passed in git's environment. */
  hidden?: readonly (readonly [key: string, value: string])[];
  /**
   * True if git starts helpers, for other hosts and for packs. Helpers are in git's process group, so that they end
   * with git.
   */
  withHelpers?: boolean;
  /** The maximum memory that git may ask for in one request, such as `64m`. A larger request ends git. */
  largestAllocation?: string;
}

/** Starts git on a bare repository, with a lower priority than requests. */
export function startGit(
  git: string,
  gitdir: string,
  args: readonly string[],
  {
    as = "ownObjects",
    settings = [],
    hidden = [],
    withHelpers = false,
    protocol,
    largestAllocation,
  }: StartOptions = {},
): ChildProcessByStdio<Writable, Readable, Readable> {
  const always = ["core.hooksPath=/dev/null", `safe.directory=${gitdir}`, "gc.auto=0", wholeFrom, mappedAtMost];
  const fixed = [`--git-dir=${gitdir}`, ...[...always, ...settings].flatMap((one) => ["-c", one])];
  const child = startProgram(as, git, [...fixed, ...args], {
    cwd: gitdir,
    detached: withHelpers,
    env: {
      PATH: `${dirname(git)}:/usr/bin:/bin`,
      HOME: `${gitdir}/objects/info`,
      LC_ALL: "C",
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_TERMINAL_PROMPT: "0",
      ...hiddenSettings(hidden),
      ...(protocol === undefined ? {} : { GIT_PROTOCOL: protocol }),
      ...(largestAllocation === undefined ? {} : { GIT_ALLOC_LIMIT: largestAllocation }),
    },
  });
  lowerPriority(child);
  return child;
}

function hiddenSettings(settings: NonNullable<StartOptions["hidden"]>): Record<string, string> {
  if (settings.length === 0) return {};
  const named = settings.flatMap(([key, value], at) => [
    [`GIT_CONFIG_KEY_${at}`, key],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ]);
  return { GIT_CONFIG_COUNT: String(settings.length), ...Object.fromEntries(named) };
}

export interface GitRunOptions extends StartOptions {
  input?: string | Readable | undefined;
  /** The maximum number of bytes of output. Git is ended when it prints more. */
  atMost?: number;
  /** Called when git wrote to its standard error. */
  onProgress?: () => void;
  /** Ends git when aborted. */
  signal?: AbortSignal;
}

/**
 * Functions that end running git processes. They are called at exit, because a group of processes would continue
 * otherwise.
 */
const running = new Set<() => void>();
process.once("exit", () => running.forEach((end) => end()));

/** Runs git to its end. A non-zero exit code is a result and not an error. */
export async function runGit(
  git: string,
  gitdir: string,
  args: readonly string[],
  { input, onProgress, signal, atMost = Infinity, ...options }: GitRunOptions = {},
): Promise<GitRun> {
  signal?.throwIfAborted();
  const child = startGit(git, gitdir, args, options);
  const endProcess = () => (options.withHelpers ? endGroup(child) : child.kill());
  running.add(endProcess);
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  let printed = 0;
  child.stdout.on("data", (chunk: Buffer) => {
    printed += chunk.length;
    if (printed > atMost) endProcess();
    else stdout.push(chunk);
  });
  child.stderr.on("data", (chunk: Buffer) => {
    stderr.push(chunk);
    onProgress?.();
  });
  signal?.addEventListener("abort", endProcess, { once: true });
  child.stdin.on("error", () => undefined);
  if (input instanceof Readable) input.on("error", endProcess).pipe(child.stdin);
  else child.stdin.end(input);
  const [code, killedBy] = await waitForExit(child).finally(() => {
    signal?.removeEventListener("abort", endProcess);
    running.delete(endProcess);
  });
  // only the time limit sends these signals; callers end git by others
  const isOverTime = killedBy === "SIGKILL" || killedBy === "SIGXCPU";
  return { code, isOverTime, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr).toString("utf8") };
}

function endGroup({ pid }: { pid?: number | undefined }): void {
  try {
    if (pid !== undefined) process.kill(-pid);
  } catch (error) {
    // the error means that the whole group has ended
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** Runs git and returns its standard output. @throws Error with git's own words when git fails */
export async function readGitOutput(
  binary: string,
  gitdir: string,
  args: readonly string[],
  options?: GitRunOptions,
): Promise<Buffer> {
  const run = await runGit(binary, gitdir, args, options);
  if (run.code !== 0) throw new Error(`git ${args[0]} failed (${run.code}): ${run.stderr.trim().slice(0, 2000)}`);
  return run.stdout;
}

/** Resolves when the process has ended and its output is read. */
function waitForExit(
  child: ChildProcessByStdio<Writable, Readable, Readable>,
): Promise<[code: number, by: NodeJS.Signals | null]> {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, by) => resolve([code ?? -1, by]));
  });
}

/** Says whether `ancestor` is `commit` or an ancestor of it. False if git doesn't know one of them. */
export async function isAncestor(binary: string, gitdir: string, ancestor: string, commit: string): Promise<boolean> {
  return (await runGit(binary, gitdir, ["merge-base", "--is-ancestor", ancestor, commit])).code === 0;
}
