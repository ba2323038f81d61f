/**
 * Proves a clone of a repository: it computes every hash again, and compares each commit with the files that it
 * changed.
 */
import type { Verb } from "./event.ts";
import { approvalNoteOf, notePath } from "./approval-notes.ts";
import {
  ClonedFacts,
  type ClonedRepository,
  type Commit,
  type Hashes,
  type CommitLine,
  type ClonedVersion,
  type StatedVersion,
} from "./cloned-facts.ts";
import type { ClonedFolder, FileChange } from "./cloned-folder.ts";
import { CannotProve, Difference } from "./difference.ts";
import { isMadeByServer, MainIndex, readmePath } from "./index-files.ts";
import { versionTag } from "./names.ts";
import { committer } from "./objects.ts";
import { categoriesFilePath, readCategories, repoFilePath } from "./repo-files.ts";

export interface ProvenApproval {
  number: string;
  version: number;
  /** The names and times that the commit states, such as `Grace Hopper <…@users.invalid>`. */
  by: { name: string; at: string }[];
}

export interface CloneProof {
  branches: { name: CommitLine; commits: number; head: string }[];
  /** The number of versions whose text was compared. */
  versions: number;
  approvals: ProvenApproval[];
  /** Commits that replace events which the server couldn't read. Their changes aren't proved. */
  unreadable: { seq: number; commit: string }[];
}

const sopFile = /^(?:sops|templates|archive)\/[a-z0-9-]+\/([a-z0-9.-]+)\.md$/;
const assetFile = /^assets\/([0-9a-f]{2})\/([0-9a-f]{64})\.[a-z0-9]+$/;
const commitsAhead = 64;
const standIn: Verb = "unreadable";
const aboutSettings = new Set<string | null>(["found", "category"] satisfies Verb[]);

/**
 * Checks the hash of every object that the branches reach, the order of the events, each commit's files, the text of
 * every version on both branches, and the tags.
 *
 * @param expected ids of commits, noted before, or their first digits: each must be part of a branch
 * @throws Difference at the first difference
 * @throws CannotProve if the clone doesn't contain the whole history
 */
export async function proveClone(
  clone: ClonedRepository,
  hashes: Hashes,
  expected: readonly string[],
): Promise<CloneProof> {
  const facts = new ClonedFacts(clone, hashes);
  await facts.readAhead(clone.listed);
  const approvals: ProvenApproval[] = [];
  const lines: Record<CommitLine, string[]> = { history: [], main: [], notes: [] };
  const published = new Map<string, StatedVersion[]>();
  const isWhole = clone.heads.history.length > 0;
  // history comes first, because it has every version that main publishes
  for (const branch of ["history", "main", "notes"] as const) {
    for (const head of new Set(clone.heads[branch])) {
      const line = await proveBranch(facts, { branch, head, isWhole }, published);
      lines[branch] = longerOfLinearHistories(branch, lines[branch], line);
    }
  }
  if (lines.main.length === 0 && lines.history.length === 0)
    throw new CannotProve("there is no branch main or history");
  for (const oid of lines.main) {
    const { approvals: by } = await facts.readCommit(oid);
    for (const { number, version } of published.get(oid) ?? []) approvals.push({ number, version, by });
  }
  const head = lines.main.at(-1);
  if (head !== undefined) await proveIndex(facts, head);
  proveTags(clone.tags, published);
  const all = Object.values(lines).flat();
  const absent = expected.find((one) => !all.some((oid) => oid.startsWith(one)));
  if (absent !== undefined) {
    throw new Difference(`${absent} is part of no branch: the history was rewritten, or it is of another company`);
  }
  const commits = await Promise.all([...lines.history, ...lines.main].map((oid) => facts.readCommit(oid)));
  const unreadable = commits.filter(({ event }) => event === standIn).map(({ seq, oid }) => ({ seq, commit: oid }));
  const branches = (["history", "main", "notes"] as const)
    .filter((name) => lines[name].length > 0)
    .map((name) => ({ name, commits: lines[name].length, head: lines[name].at(-1) ?? "" }));
  return { branches, versions: facts.texts.size, approvals, unreadable };
}

async function proveBranch(
  facts: ClonedFacts,
  { branch, head, isWhole }: { branch: CommitLine; head: string; isWhole: boolean },
  published: Map<string, StatedVersion[]>,
): Promise<string[]> {
  const line = await facts.commitsUpTo(head);
  const [root = head] = line;
  if (branch !== "notes" && (await facts.readCommit(root)).event !== "found") {
    throw new CannotProve(`${branch} doesn't begin with the first event: a clone for a user who can't read everything`);
  }
  const commits = await Promise.all(line.map((oid) => facts.readCommit(oid)));
  let [folder, last]: [ClonedFolder | null, Commit | null] = [null, null];
  const begun = beginAhead(commits, (commit) => {
    const before = folder;
    folder = facts.folderOfTree(commit.tree, before);
    const changes = folder === before ? Promise.resolve([]) : folder.changes();
    return handledLater(
      changes.then((all) => all.map((one) => handledLater(proveChange(facts, commit, one, { branch, isWhole })))),
    );
  });
  for (const [commit, changes] of begun) {
    try {
      proveOrder(commit, last, branch);
      const versions: StatedVersion[] = [];
      for (const change of await changes) {
        const put = await change;
        if (put === null) continue;
        const key = `${put.file.id} ${put.file.version}`;
        proveText(put, facts.texts.get(key) ?? null);
        facts.texts.set(key, put.file.sha256);
        versions.push(put.file);
      }
      if (branch === "main" && commit.event === "publish") published.set(commit.oid, versions);
    } catch (error) {
      if (!(error instanceof Difference)) throw error;
      const about = [...commit.items].slice(0, 3).map(([id, { version }]) => `${id} v${version}`);
      const where = `${branch}, commit ${commit.oid.slice(0, 12)}, event ${commit.seq}`;
      throw new Difference(`${where}${about.length > 0 ? ` (${about.join(", ")})` : ""}: ${error.message}`);
    }
    last = commit;
  }
  return line;
}

/**
 * Yields each entry with the result of `begin`, which is called a few entries ahead, because git reads many objects
 * faster.
 */
function* beginAhead<One, Begun>(all: readonly One[], begin: (one: One) => Begun): Generator<[One, Begun]> {
  const begun: [One, Begun][] = [];
  for (const one of all) {
    begun.push([one, begin(one)]);
    if (begun.length > commitsAhead) yield* begun.splice(0, 1);
  }
  yield* begun;
}

/** Prevents an unhandled rejection for a result that is awaited later, or never after an earlier error. */
function handledLater<T>(result: Promise<T>): Promise<T> {
  result.catch(() => undefined);
  return result;
}

function longerOfLinearHistories(branch: CommitLine, one: string[], other: string[]): string[] {
  const [longer, shorter] = one.length > other.length ? [one, other] : [other, one];
  if (shorter.some((oid, index) => longer[index] !== oid)) {
    throw new Difference(`the local branch ${branch} and that of the server go different ways`);
  }
  return longer;
}

function proveOrder(commit: Commit, last: Commit | null, branch: CommitLine): void {
  const before = last?.seq ?? -1;
  if (commit.seq <= before || (branch === "history" && commit.seq !== before + 1)) {
    throw new Difference(`event ${commit.seq} follows event ${before}`);
  }
  if (commit.committer !== committer) throw new Difference(`${commit.committer} made the commit, not the server`);
  if (last !== null && commit.seconds < last.seconds) {
    throw new Difference("its date is before that of the commit before it");
  }
}

interface PutFile {
  path: string;
  file: StatedVersion;
}

/** @returns the version that the change put on the branch */
async function proveChange(
  facts: ClonedFacts,
  { event, items }: Commit,
  change: FileChange,
  { branch, isWhole }: { branch: CommitLine; isWhole: boolean },
): Promise<PutFile | null> {
  const { path, after } = change;
  if (after !== null && after.mode !== "100644") throw new Difference(`${path} isn't a plain file`);
  if (branch === "notes") await proveNote(facts, change, isWhole);
  else if (path === repoFilePath || path === categoriesFilePath) {
    if (!aboutSettings.has(event)) throw new Difference(`${path} changes in an event about SOPs`);
    if (after !== null) await facts.readBlob(after.oid);
  } else if (assetFile.test(path)) await proveAsset(facts, change);
  else if (sopFile.test(path)) return proveDocument(facts, change, items);
  else if (branch === "main" && isMadeByServer(path) && !path.startsWith(".sop/")) {
    if (after !== null) await facts.readBlob(after.oid);
  } else throw new Difference(`${path} has no place in the repository`);
  return null;
}

async function proveAsset(facts: ClonedFacts, { path, before, after }: FileChange): Promise<void> {
  const [, folder, sha256 = ""] = assetFile.exec(path) ?? [];
  const isImage =
    before === null &&
    after !== null &&
    facts.sha256(await facts.readBlob(after.oid)) === sha256 &&
    sha256.startsWith(`${folder}`);
  if (!isImage) throw new Difference(`${path} isn't the image of that hash`);
}

async function proveDocument(
  facts: ClonedFacts,
  { path, before, after }: FileChange,
  items: ReadonlyMap<string, ClonedVersion>,
): Promise<PutFile | null> {
  const file = await facts.readVersion((after ?? before)?.oid ?? "");
  const item = items.get(file.id);
  if (item === undefined) throw new Difference(`${path} changes, but the commit doesn't name it`);
  if (after === null) return null;
  if (!path.slice(path.lastIndexOf("/") + 1).startsWith(`${file.number.toLowerCase()}-`)) {
    throw new Difference(`${path} holds ${file.number}`);
  }
  if (item.version === file.version) proveText({ path, file }, item.sha256);
  return { path, file };
}

function proveText({ path, file: { version, sha256 } }: PutFile, stated: string | null): void {
  if (stated !== null && stated !== sha256)
    throw new Difference(`${path}: version ${version} has SHA-256 ${sha256}, stated as ${stated}`);
}

/** Checks that the index at the head matches the files of `main`. The indexes of earlier commits are not checked. */
async function proveIndex(facts: ClonedFacts, head: string): Promise<void> {
  const { tree } = await facts.readCommit(head);
  const files = new Map<string, string>();
  for (const { path, after } of await facts.folderOfTree(tree, null).changes())
    if (after !== null) files.set(path, after.oid);
  if (!files.has(readmePath)) return;
  const index = new MainIndex();
  for (const [path, oid] of files) if (sopFile.test(path)) index.set(path, await facts.readVersion(oid));
  const categories = readCategories(await facts.readText(files.get(categoriesFilePath) ?? ""));
  const stated = index.files(categories);
  const made = [...files.keys()].filter((path) => isMadeByServer(path) && !path.startsWith(".sop/"));
  for (const path of new Set([...stated.keys(), ...made])) {
    const oid = files.get(path);
    if (oid === undefined || (await facts.readText(oid)) !== stated.get(path)) {
      throw new Difference(`main, commit ${head.slice(0, 12)}: ${path} isn't what the files of main say`);
    }
  }
}

/** @param isWhole true if the clone has `history`; otherwise it lacks half of the commits that have notes */
async function proveNote(facts: ClonedFacts, { path, after }: FileChange, isWhole: boolean): Promise<void> {
  const noted = path.replaceAll("/", "");
  const text = after && (await facts.readText(after.oid));
  const commit = facts.commitIfRead(noted);
  const stated = commit === undefined ? (isWhole ? null : text) : approvalNoteOf(commit.message);
  if (text === null || text !== stated || path !== notePath(noted)) {
    throw new Difference(`the note on ${noted} isn't what that commit says`);
  }
}

/** Checks the tags. A clone without any tag was made without tags. */
function proveTags(tags: ClonedRepository["tags"], published: ReadonlyMap<string, readonly StatedVersion[]>): void {
  const namesOf = (oid: string) => (published.get(oid) ?? []).map(({ number, version }) => versionTag(number, version));
  const wrong = tags.find(({ name, oid }) => !namesOf(oid).includes(name));
  if (wrong) throw new Difference(`tag ${wrong.name} doesn't mark the publication of that version`);
  const there = new Set(tags.map(({ name }) => name));
  const [missing] = [...published.keys()]
    .flatMap(namesOf)
    .filter((name) => !there.has(name))
    .toSorted();
  if (there.size > 0 && missing !== undefined) throw new Difference(`tag ${missing} is missing: git fetch --tags`);
}
