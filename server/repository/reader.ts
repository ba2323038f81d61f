/** Reads commits and trees of a repository: with the git binary, or with isomorphic-git if there is none. */
import * as isomorphic from "isomorphic-git";
import { createAtomicFs } from "./atomic-fs.ts";
import type { Disk } from "./disk.ts";
import { readGitOutput } from "./git-process.ts";

export interface CommitInfo {
  oid: string;
  tree: string;
  parent: string | null;
  seconds: number;
  /** The number of the event in the `Event-Seq` trailer. */
  seq: number;
}

export interface RepositoryReader {
  commit(oid: string): Promise<CommitInfo>;
  commitContent(oid: string): Promise<Uint8Array>;
  /** Lists all files below a tree. */
  files(tree: string): Promise<{ path: string; oid: string }[]>;
  /** Reads the contents of blobs, in the order of `oids`. */
  blobs(oids: readonly string[]): Promise<Uint8Array[]>;
  /** Lists the ids of a commit and of all commits before it, newest first. */
  ancestry(oid: string): Promise<string[]>;
}

export function createReader(disk: Disk, gitdir: string, binary: string | null): RepositoryReader {
  return binary === null ? createIsomorphicReader(disk, gitdir) : createNativeReader(binary, gitdir);
}

function createNativeReader(binary: string, gitdir: string): RepositoryReader {
  const readCommit = (oid: string) => readGitOutput(binary, gitdir, ["cat-file", "commit", oid]);
  return {
    commit: async (oid) => parseCommit(oid, (await readCommit(oid)).toString("utf8")),
    commitContent: readCommit,
    files: async (tree) => {
      const listing = await readGitOutput(binary, gitdir, ["ls-tree", "-r", "-z", tree]);
      const lines = listing.toString("utf8").split("\0").slice(0, -1);
      return lines.map((line) => ({ path: line.slice(line.indexOf("\t") + 1), oid: line.split(/[ \t]/, 3)[2] ?? "" }));
    },
    blobs: async (oids) => {
      const contents: Buffer[] = [];
      for (let at = 0; at < oids.length; at += blobsAtOnce) {
        const wanted = oids.slice(at, at + blobsAtOnce);
        contents.push(
          ...parseCatFileBatch(
            await readGitOutput(binary, gitdir, ["cat-file", "--batch"], { input: `${wanted.join("\n")}\n` }),
          ),
        );
      }
      if (contents.length !== oids.length) throw new Error("a file can't be read");
      return contents;
    },
    ancestry: async (oid) => outputLines(await readGitOutput(binary, gitdir, ["rev-list", "--first-parent", oid])),
  };
}

function createIsomorphicReader(disk: Disk, gitdir: string): RepositoryReader {
  const on = { fs: createAtomicFs(disk, gitdir), gitdir, cache: {} };
  const readCommit = async (oid: string): Promise<Uint8Array> => {
    const { object } = await isomorphic.readObject({ ...on, oid, format: "content" });
    if (!(object instanceof Uint8Array)) throw new Error(`${oid} is not a commit`);
    return object;
  };
  const readCommitInfo = async (oid: string): Promise<CommitInfo> =>
    parseCommit(oid, Buffer.from(await readCommit(oid)).toString("utf8"));
  const filesInTree = async (tree: string, prefix: string): Promise<{ path: string; oid: string }[]> => {
    const files: { path: string; oid: string }[] = [];
    for (const entry of (await isomorphic.readTree({ ...on, oid: tree })).tree) {
      if (entry.type === "tree") files.push(...(await filesInTree(entry.oid, `${prefix}${entry.path}/`)));
      else files.push({ path: prefix + entry.path, oid: entry.oid });
    }
    return files;
  };
  return {
    commit: readCommitInfo,
    commitContent: readCommit,
    files: (tree) => filesInTree(tree, ""),
    blobs: async (oids) => {
      const contents: Uint8Array[] = [];
      for (const oid of oids) contents.push((await isomorphic.readBlob({ ...on, oid })).blob);
      return contents;
    },
    ancestry: async (oid) => {
      const oids: string[] = [];
      for (let at: string | null = oid; at !== null; at = (await readCommitInfo(at)).parent) oids.push(at);
      return oids;
    },
  };
}

function parseCommit(oid: string, text: string): CommitInfo {
  const tree = /^tree ([0-9a-f]{40})$/m.exec(text)?.[1];
  const seconds = /^committer .* (\d+) \+0000$/m.exec(text)?.[1];
  const trailers = text.trimEnd().split("\n\n").at(-1) ?? "";
  const seq = /^Event-Seq: (\d+)$/m.exec(trailers)?.[1];
  if (tree === undefined || seconds === undefined || seq === undefined)
    throw new Error(`${oid} is not a commit of ours`);
  const parent = /^parent ([0-9a-f]{40})$/m.exec(text.slice(0, text.indexOf("\n\n")))?.[1] ?? null;
  return { oid, tree, parent, seconds: Number(seconds), seq: Number(seq) };
}

const blobsAtOnce = 500;

/** Parses the output of `git cat-file --batch`. Stops at a missing object. */
function parseCatFileBatch(output: Buffer): Buffer[] {
  const contents: Buffer[] = [];
  for (let at = 0; at < output.length;) {
    const end = output.indexOf(10, at);
    const size = Number(/ blob (\d+)$/.exec(output.toString("latin1", at, end))?.[1] ?? Number.NaN);
    if (Number.isNaN(size)) break;
    contents.push(output.subarray(end + 1, end + 1 + size));
    at = end + size + 2;
  }
  return contents;
}

function outputLines(output: Buffer): string[] {
  return output.toString("latin1").trim().split("\n");
}
