/**
 * Checks the objects of a push in a temporary repository, which borrows the objects that the pushing user can clone.
 * Objects of a push are never written into the company's repository.
 */
import { createReadStream } from "node:fs";
import path from "node:path";
import { AppError } from "#core/errors.ts";
import { limits } from "#core/limits.ts";
import type { ProcessKind } from "#core/processes.ts";
import { initializeRepository } from "../repository/bare-repository.ts";
import { findChangedFiles, TooManyFiles, type ChangedFilesLimits, type ChangedFile } from "./changed-files.ts";
import { copySubject } from "./copies.ts";
import { realDisk } from "../repository/disk.ts";
import { runGit, type GitRun, type GitRunOptions } from "../repository/git-process.ts";
import { refusals } from "./refusals.ts";

/**
 * The maximum memory that git may allocate at once. A pack that needs more ends git; no accepted file needs that much.
 */
export const largestAllocation = "96m";
const settings = [
  "core.protectHFS=true",
  "core.protectNTFS=true",
  "pack.threads=1",
  "core.packedGitLimit=128m",
  "core.deltaBaseCacheLimit=32m",
];
/** The maximum number of bytes of a list of paths: the pushed paths, or the paths that links can lead to. */
const listBytes = 4 * 1024 * 1024;
/** The maximum number of bytes of the trees of one level: two folders with 100,000 files each. */
const treeBytes = 32 * 1024 * 1024;
/** The maximum milliseconds that git works for a push. That is enough even with a tenth of a busy processor. */
const longestMs = 60_000;

export interface QuarantineOptions {
  git: string;
  /** A folder that only this push uses. */
  folder: string;
  /** The file with the body of the request, the offset of its pack, and the number of objects in it. */
  body: { path: string; packAt: number; objects: number };
  /** The repository that the user can clone. */
  gitdir: string;
  /** The heads of the repository that the user can clone. */
  heads: readonly string[];
  signal: AbortSignal;
}

/** A file that differs between two commits. */
export interface PushedFile extends ChangedFile {
  /** The size in bytes; 0 for a deleted file. */
  size: number;
}

export interface Quarantine {
  /** Checks a pushed commit and all objects that it needs. @throws PushRefused */
  check(commit: string): Promise<void>;
  /**
   * Returns the commit on which the pushed commit is based: the latest one that the user could clone.
   * @throws PushRefused
   */
  baseOf(commit: string): Promise<string>;
  /**
   * Returns the files that differ between two commits.
   * @throws PushRefused beyond `limits.pushFiles` and `limits.pushDepth`
   */
  changes(base: string, commit: string): Promise<PushedFile[]>;
  /** Returns the paths of all files of a commit; none when there are too many to list. */
  paths(commit: string): Promise<string[]>;
  /** Returns the lines of documents that match a pattern, ignoring case. @throws PushRefused */
  search(commit: string, pattern: string): Promise<{ path: string; line: string }[]>;
  /**
   * Reads the contents of blobs, in order. A blob that is missing or larger than a document is returned as empty.
   * @param names ids, or `<commit>:<path>`
   * @param most the maximum number of bytes of a file that isn't a document
   */
  read(names: readonly string[], most?: number): Promise<Buffer[]>;
  /** Returns the ids of the commits since the base. */
  commits(base: string, commit: string): Promise<Set<string>>;
  /** Returns the addresses that the commits since the base name as authors; at most 200. */
  authors(base: string, commit: string): Promise<string[]>;
  /**
   * Returns the message of the latest commit that isn't a merge. `withAuthor` adds the author that the commit names.
   */
  message(base: string, commit: string, withAuthor?: boolean): Promise<string>;
}

/** Refuses the whole push. The message is for the user who pushed; `hint` is a command that works instead. */
export class PushRefused extends Error {
  readonly hint: string | undefined;
  readonly isAboutPack: boolean;
  /** True if the push reached the limit on work. */
  readonly isCostly: boolean;

  constructor(
    message: string,
    { hint, isAboutPack = false, isCostly = false }: Partial<Omit<PushRefused, "message">> = {},
  ) {
    super(message);
    this.name = "PushRefused";
    this.hint = hint;
    this.isAboutPack = isAboutPack;
    this.isCostly = isCostly;
  }
}

/** Returns the path of the quarantine's bare repository. @param folder the folder of the push */
export function quarantineRepository(folder: string): string {
  return path.join(folder, "quarantine.git");
}

const pushAgain = "git fetch origin, then push again";
const smallerParts = "git push in smaller parts, or sop import";

/**
 * Creates the quarantine, and unpacks the pack of the push into it.
 * @throws PushRefused when the pack is damaged, too large or has a forbidden object
 */
export async function openQuarantine(options: QuarantineOptions): Promise<Quarantine> {
  const { git: binary, folder, body, gitdir: lender, heads, signal } = options;
  if (body.objects > limits.pushObjects) {
    const most = limits.pushObjects.toLocaleString("en");
    const message = `The push has ${body.objects.toLocaleString("en")} objects. At most ${most} are taken at once`;
    throw new PushRefused(message, { hint: smallerParts, isAboutPack: true });
  }
  const gitdir = quarantineRepository(folder);
  await initializeRepository(realDisk, gitdir);
  await realDisk.writeFile(`${gitdir}/objects/info/alternates`, `${path.resolve(lender)}/objects\n`);

  let leftMs = longestMs;
  const refusalError = (what: string, isAboutPack: boolean) =>
    new PushRefused(`The ${isAboutPack ? "pack" : "push"} takes too much ${what}`, {
      hint: smallerParts,
      isAboutPack,
      isCostly: true,
    });
  const run = async (args: string[], more: GitRunOptions = {}, as: ProcessKind = "pushedObjects"): Promise<GitRun> => {
    const isAboutPack = as === "pushedPack";
    if (leftMs <= 0) throw refusalError("work", isAboutPack);
    const late = AbortSignal.timeout(Math.ceil(leftMs));
    const started = performance.now();
    const options = { as, signal: AbortSignal.any([signal, late]), settings, largestAllocation, ...more };
    const ran = await runGit(binary, gitdir, args, options);
    leftMs -= performance.now() - started;
    if (signal.aborted) throw new AppError("busy", refusals.slowPush());
    if (late.aborted || ran.isOverTime) throw refusalError("work", isAboutPack);
    if (ran.code !== 0 && outOfMemory.test(ran.stderr)) throw refusalError("memory", isAboutPack);
    return ran;
  };
  const gitOutputLines = async (args: string[], input?: string): Promise<string[]> => {
    const { code, stdout, stderr } = await run(args, input === undefined ? {} : { input });
    if (code !== 0) throw new Error(`git ${args[0]} failed (${code}): ${stderr.slice(0, 500)}`);
    return stdout.toString("utf8").split("\n").filter(Boolean);
  };

  if (body.objects > 0) {
    const pack = createReadStream(body.path, { start: body.packAt });
    const args = ["index-pack", "--stdin", "--fix-thin", "--strict", `--max-input-size=${limits.pushPacked}`];
    const { code, stderr } = await run(args, { input: pack }, "pushedPack").finally(() => pack.destroy());
    if (code !== 0) throw new PushRefused(packProblem(stderr), { isAboutPack: true });
  }

  const readTrees = async (names: readonly string[]): Promise<Buffer[]> => {
    const input = names.map((name) => `${name}\n`).join("");
    const { code, stdout } = await run(["cat-file", "--batch"], { input, atMost: treeBytes });
    // git was stopped because it printed too much
    if (code === -1) throw new TooManyFiles("files");
    if (code !== 0) throw new Error(`git cat-file failed (${code})`);
    let at = 0;
    return names.map((name) => {
      const start = stdout.indexOf("\n", at) + 1;
      const [, type = "", size] = stdout.toString("latin1", at, start - 1).split(" ");
      if (type !== "tree") throw new Error(`${name} is not a tree`);
      at = start + Number(size) + 1;
      return stdout.subarray(start, at - 1);
    });
  };

  return {
    async check(commit) {
      const { code, stdout } = await run(["cat-file", "--batch-check=%(objecttype)"], { input: `${commit}\n` });
      const type = stdout.toString("utf8").trim();
      if (code !== 0 || type.endsWith("missing")) {
        throw new PushRefused("The pushed commit is not there", { hint: pushAgain });
      }
      if (type !== "commit")
        throw new PushRefused("This is not a commit", { hint: "git push origin HEAD:refs/for/main" });
      const input = [commit, ...heads.map((head) => `^${head}`)].join("\n");
      const walked = await run(["rev-list", "--objects", "--quiet", "--stdin"], { input });
      if (walked.code !== 0) throw new PushRefused("Some of its objects are missing here", { hint: pushAgain });
    },

    async baseOf(commit) {
      const found = await run(["merge-base", commit, ...heads]);
      const base = found.stdout.toString("utf8").trim();
      if (found.code === 0 && base !== "") return base;
      // a copy has one commit. After its texts change, the next copy shares no commit with the push, so recognize the
      // old one by its subject
      const roots = await gitOutputLines(["log", "--max-parents=0", "-2", "--format=%H %s", commit]);
      const [root = "", ...others] = roots;
      if (others.length === 0 && root.endsWith(` ${copySubject}`)) return root.slice(0, 40);
      throw new PushRefused("Your commits have none in common with this repository", {
        hint: "git fetch origin && git rebase origin/main",
      });
    },

    async changes(base, commit) {
      const found = await findChangedFiles(readTrees, `${base}^{tree}`, `${commit}^{tree}`, bounds).catch(
        throwFilesRefusal,
      );
      const files = found.map((file): PushedFile => ({ ...file, size: 0 }));
      const there = files.filter(({ oid, mode }) => oid !== null && mode !== submodule);
      const input = there.map(({ oid }) => `${oid}\n`).join("");
      const sizes = input === "" ? [] : await gitOutputLines(["cat-file", "--batch-check=%(objectsize)"], input);
      for (const [index, file] of there.entries()) file.size = Number(sizes[index] ?? Number.NaN);
      return files;
    },

    async paths(commit) {
      const all = { ...bounds, files: Infinity };
      const found = await findChangedFiles(readTrees, null, `${commit}^{tree}`, all).catch((error: unknown) => {
        if (error instanceof TooManyFiles) return [];
        throw error;
      });
      return found.map(({ path: name }) => name);
    },

    async search(commit, pattern) {
      const args = ["grep", "--threads=1", "-zIiE", "-e", pattern, commit, "--", "sops", "templates", "archive"];
      const { code, stdout, stderr } = await run(args, { atMost: treeBytes });
      if (code === -1) throw refusalError("memory", false);
      // git exits with 1 if there is no match
      if (code > 1) throw new Error(`git grep failed (${code}): ${stderr.slice(0, 500)}`);
      const lines = stdout.toString("utf8").split("\n").filter(Boolean);
      return lines.map((found) => {
        const [name = "", line = ""] = found.split("\0");
        return { path: name.slice(commit.length + 1), line };
      });
    },

    async read(names, most = limits.document) {
      if (names.length === 0) return [];
      const all = names.map((name) => `${name}\n`);
      const sizes = (await gitOutputLines(["cat-file", "--batch-check=%(objectsize)"], all.join(""))).map(Number);
      const wanted = all.filter((_, index) => (sizes[index] ?? Infinity) <= most);
      const { code, stdout } = await run(["cat-file", "--batch"], { input: wanted.join("") });
      if (code !== 0) throw new Error(`git cat-file failed (${code})`);
      let at = 0;
      return sizes.map((size) => {
        if (!(size <= most)) return Buffer.alloc(0);
        const start = stdout.indexOf("\n", at) + 1;
        at = start + size + 1;
        return stdout.subarray(start, start + size);
      });
    },

    async commits(base, commit) {
      return new Set(await gitOutputLines(["rev-list", commit, `^${base}`]));
    },

    async authors(base, commit) {
      const format = "%ae%n%(trailers:key=Co-authored-by,valueonly)";
      const stated = await gitOutputLines(["log", `--format=${format}`, commit, `^${base}`]);
      return [...new Set(stated.flatMap((line) => /[^\s<>]{1,254}@[^\s<>]{1,254}/.exec(line)?.[0] ?? []))].slice(
        0,
        200,
      );
    },

    async message(base, commit, withAuthor = false) {
      const format = withAuthor ? "%B%nBy %an" : "%B";
      const { stdout } = await run(["log", "-1", "--no-merges", `--format=${format}`, commit, `^${base}`]);
      return stdout.toString("utf8").trim();
    },
  };
}

export const submodule = "160000";
export const symbolicLink = "120000";

const bounds: ChangedFilesLimits = { files: limits.pushFiles, depth: limits.pushDepth, bytes: listBytes };

function throwFilesRefusal(error: unknown): never {
  if (!(error instanceof TooManyFiles)) throw error;
  if (error.by === "depth")
    throw new PushRefused(`The push has more than ${limits.pushDepth} folders inside each other`);
  const most = limits.pushFiles.toLocaleString("en");
  throw new PushRefused(`The push changes more than ${most} files`, { hint: smallerParts });
}

/** Matches messages of git's allocator, and of the system when git can't get memory. */
const outOfMemory = /out of memory|cannot allocate memory|attempting to allocate|mmap failed/i;

/** Returns the problem as git reports it, with the name of the object but without folders of this server. */
function packProblem(stderr: string): string {
  const said = stderr.split("\n").findLast((line) => /^(?:error|fatal): /.test(line)) ?? "";
  const why = said
    .replace(/^(?:error|fatal): /, "")
    .replaceAll(/(?:\/[^\s/':]+){2,}/g, "…")
    .slice(0, 200);
  return why === "" ? "The pack can't be read" : `The pack can't be taken: ${why}`;
}
