/** Creates, opens and checks a company's repository on disk. The head of `history` shows the last committed event. */
import { setImmediate } from "node:timers/promises";
import { inflateSync } from "node:zlib";
import { approvalsRef } from "#core/repository/approval-notes.ts";
import { readVersionFacts } from "#core/repository/file-facts.ts";
import { indexedCategoryOf, isIndexFile, MainIndex } from "#core/repository/index-files.ts";
import { emptyRepositoryState, type RepositoryState } from "#core/repository/project.ts";
import { categoriesFilePath, readCategories } from "#core/repository/repo-files.ts";
import { emptyFolder, blobIdAt, hashTree, filesInFolder, putFile, type TreeFolder } from "#core/repository/tree.ts";
import { writeAtomically } from "./atomic-fs.ts";
import { errorCodeOf, createFolderOnDisk, listNamesInFolder, readIfThere, unlinkIfThere, type Disk } from "./disk.ts";
import { sha1 } from "./sha1.ts";
import { createReader, type CommitInfo, type RepositoryReader } from "./reader.ts";
import { readRef } from "./refs.ts";
import { readStandIns, type StandIn } from "./stand-ins.ts";
import { failureReason } from "../foreign-failure.ts";

export const mainRef = "refs/heads/main";
export const historyRef = "refs/heads/history";

/** The refs that events move. Tags are left out, because they never move. */
export const movingRefs = { main: mainRef, history: historyRef, notes: approvalsRef } as const;
export type MovingRef = keyof typeof movingRefs;

const config = `[core]
	repositoryformatversion = 0
	filemode = true
	bare = true
[gc]
	auto = 0
`;

/** The default branch of a clone. */
export const headFile = `ref: ${mainRef}\n`;

export interface RefOnDisk {
  oid: string | null;
  /** The event of the head's commit; -1 without one. */
  seq: number;
}

/**
 * An open repository: its state in memory, and its refs on disk. After a crash the refs can be ahead of the state.
 * Replaying the events between them gives the same commits, and a ref doesn't move until the replay has passed it.
 */
export interface OpenRepository {
  state: RepositoryState;
  refs: Record<MovingRef, RefOnDisk>;
  /** The parts that notes replace. If there is one, the commits differ from those of the ledger. */
  standIns: StandIn[];
}

/** Thrown if the repository can't be read, so that it is deleted and rebuilt from the ledger. */
export class DamagedRepositoryError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "DamagedRepositoryError";
  }
}

/** Creates an empty bare repository, or completes one whose creation was interrupted. */
export async function initializeRepository(disk: Disk, gitdir: string): Promise<void> {
  if ((await readIfThere(disk, `${gitdir}/HEAD`)) !== null) return;
  for (const folder of ["objects/info", "objects/pack", "refs/heads", "refs/tags"]) {
    await createFolderOnDisk(disk, `${gitdir}/${folder}`);
  }
  await writeAtomically(disk, `${gitdir}/objects`, `${gitdir}/config`, config);
  await writeAtomically(disk, `${gitdir}/objects`, `${gitdir}/HEAD`, headFile);
}

/**
 * Loads the state before event `upTo`. Later commits were never acknowledged and are replayed.
 * @throws DamagedRepositoryError when a head or one of its trees is unreadable
 */
export async function loadRepository(
  disk: Disk,
  gitdir: string,
  git: string | null,
  upTo = Number.POSITIVE_INFINITY,
): Promise<OpenRepository> {
  const reader = createReader(disk, gitdir, git);
  const state = emptyRepositoryState();
  const missingRef = (): RefOnDisk => ({ oid: null, seq: -1 });
  const refs: OpenRepository["refs"] = { main: missingRef(), history: missingRef(), notes: missingRef() };
  try {
    const standIns = await readStandIns(disk, gitdir);
    for (const name of ["main", "history", "notes"] as const) {
      await assertRefIsCommit(disk, gitdir, movingRefs[name]);
      const oid = await readRef(disk, gitdir, movingRefs[name]);
      if (oid !== null) refs[name] = { oid, seq: (await reader.commit(oid)).seq };
    }
    const last = Math.min(refs.history.seq, upTo - 1);
    const head = refs.history.oid === null ? null : await findNewestCommitUpTo(reader, refs.history.oid, last);
    if (head === null) return { state, refs, standIns };
    state.seq = head.seq;
    state.seconds = head.seconds;
    state.history = { tree: await loadTree(reader, head.tree), head: head.oid };
    for (const name of ["main", "notes"] as const) {
      const { oid } = refs[name];
      const found = oid === null ? null : await findNewestCommitUpTo(reader, oid, last);
      if (found !== null) state[name] = { tree: await loadTree(reader, found.tree), head: found.oid };
    }
    await loadIndex(reader, state);
    return { state, refs, standIns };
  } catch (error) {
    throw new DamagedRepositoryError(`${gitdir} can't be read: ${failureReason(error)}`, error);
  }
}

/**
 * Refuses a ref file without a commit id. Such a ref would count as missing, and `main` would be missing until the next
 * publication.
 */
async function assertRefIsCommit(disk: Disk, gitdir: string, name: string): Promise<void> {
  const text = (await readIfThere(disk, `${gitdir}/${name}`))?.toString("latin1").trim();
  if (text !== undefined && !/^[0-9a-f]{40}$/.test(text)) throw new Error(`${name} names no commit`);
}

/** Finds the newest commit whose event isn't after `seq`; null if there is none. */
async function findNewestCommitUpTo(reader: RepositoryReader, head: string, seq: number): Promise<CommitInfo | null> {
  const newest = await reader.commit(head);
  if (newest.seq <= seq) return newest;
  const ancestry = await reader.ancestry(head);
  let [from, to] = [0, ancestry.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((await reader.commit(ancestry[middle] ?? head)).seq > seq) from = middle + 1;
    else to = middle;
  }
  const oid = ancestry[from];
  return oid === undefined ? null : reader.commit(oid);
}

/** Loads the index files of `main`. If an earlier format wrote none, builds the index from all files. */
async function loadIndex(reader: RepositoryReader, state: RepositoryState): Promise<void> {
  const categories = blobIdAt(state.history.tree, categoriesFilePath);
  const all = filesInFolder(state.main.tree);
  const made = all.filter(({ path }) => isIndexFile(path));
  const oids = [...(categories === null ? [] : [categories]), ...made.map(({ oid }) => oid)];
  const contents = await readBlobTexts(reader, oids);
  if (categories !== null) state.categories = readCategories(contents.shift() ?? "");
  const index = MainIndex.readFrom(new Map(made.map(({ path }, at) => [path, contents[at] ?? ""])), state.categories);
  if (index !== null) {
    state.index = index;
    return;
  }
  const files = all.filter(({ path }) => indexedCategoryOf(path) !== null);
  for (const [at, text] of (
    await readBlobTexts(
      reader,
      files.map(({ oid }) => oid),
    )
  ).entries()) {
    const facts = readVersionFacts(text);
    if (facts !== null) state.index.set(files[at]?.path ?? "", facts);
  }
}

async function readBlobTexts(reader: RepositoryReader, oids: readonly string[]): Promise<string[]> {
  return (await reader.blobs(oids)).map((content) => Buffer.from(content).toString("utf8"));
}

const filesAtOnce = 1_000;

async function loadTree(reader: RepositoryReader, oid: string): Promise<TreeFolder> {
  const tree = emptyFolder();
  for (const [at, file] of (await reader.files(oid)).entries()) {
    // let waiting requests run first
    if (at % filesAtOnce === 0) await setImmediate();
    putFile(tree, file.path, file.oid);
  }
  if (hashTree(tree, sha1) !== oid) throw new Error(`tree ${oid} reads differently`);
  return tree;
}

/**
 * Checks every loose object, and removes old unfinished files that a crash left.
 * @returns the number of loose objects
 * @throws DamagedRepositoryError for an incomplete object
 */
export async function cleanAndCheckLooseObjects(disk: Disk, gitdir: string): Promise<number> {
  for (const folder of [`${gitdir}/objects`, `${gitdir}/objects/pack`]) {
    for (const name of await listNamesInFolder(disk, folder)) {
      if (/^(?:tmp_|\.tmp-)/.test(name) && (await isOlderThanHour(disk, `${folder}/${name}`))) {
        await unlinkIfThere(disk, `${folder}/${name}`);
      }
    }
  }
  const oids = await listLooseObjects(disk, gitdir);
  for (const oid of oids) await readLooseObject(disk, gitdir, oid).catch(throwUnlessGone);
  return oids.length;
}

/** Says whether a file is older than an hour, which no process needs to write a file. */
async function isOlderThanHour(disk: Disk, path: string): Promise<boolean> {
  const found = await disk.stat(path).catch(throwUnlessGone);
  return found !== undefined && Date.now() - Number(found.mtimeMs) > 3_600_000;
}

/** Throws the error unless a file is missing, because a repack or another committer may have removed the file. */
function throwUnlessGone(error: unknown): undefined {
  if (errorCodeOf(error) !== "ENOENT") throw error;
}

export async function listLooseObjects(disk: Disk, gitdir: string): Promise<string[]> {
  const oids: string[] = [];
  for (const folder of await listNamesInFolder(disk, `${gitdir}/objects`)) {
    if (!/^[0-9a-f]{2}$/.test(folder)) continue;
    for (const name of await listNamesInFolder(disk, `${gitdir}/objects/${folder}`)) {
      if (/^[0-9a-f]{38}$/.test(name)) oids.push(folder + name);
    }
  }
  return oids;
}

function loosePath(gitdir: string, oid: string): string {
  return `${gitdir}/objects/${oid.slice(0, 2)}/${oid.slice(2)}`;
}

/**
 * Reads a loose object with its header (`blob 12\0…`).
 * @throws DamagedRepositoryError when its bytes don't hash to its name
 */
export async function readLooseObject(disk: Disk, gitdir: string, oid: string): Promise<Buffer> {
  const packed = await disk.readFile(loosePath(gitdir, oid));
  try {
    const object = inflateSync(packed);
    if (sha1(object) === oid) return object;
  } catch (error) {
    throw new DamagedRepositoryError(`object ${oid} is torn`, error);
  }
  throw new DamagedRepositoryError(`object ${oid} is not what its name says`);
}
