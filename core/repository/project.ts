/**
 * Turns events into git objects. Every writer, the rebuild and the verifier use this module, so that all of them make
 * the same bytes.
 */
import { approvalNoteOf, notePath, notesCommitMessage } from "./approval-notes.ts";
import { treeChangesOf, isBranchChangedBy, type TreeChange } from "./changes.ts";
import { formatVersion, type Branch, type CategoryEntry, type CommitIds, type RepoEvent } from "./event.ts";
import { readVersionFacts } from "./file-facts.ts";
import { codeownersPath, indexedCategoryOf, indexPagePath, MainIndex, readmePath } from "./index-files.ts";
import { commitMessage, commitIdentityOf, epochSeconds } from "./message.ts";
import { defaultNumberLabel, versionTag } from "./names.ts";
import { blobBytes, commitBytes, objectId, type Sha1 } from "./objects.ts";
import { emptyFolder, blobIdAt, hashTree, putFile, removeFile, type TreeFolder, type ObjectSink } from "./tree.ts";

export interface BranchState {
  tree: TreeFolder;
  head: string | null;
}

/** The state of a repository that the next event needs. */
export interface RepositoryState {
  /** The number of the last event in the repository; -1 before the first. */
  seq: number;
  /** The time of the last event in seconds, because commit dates never go back. */
  seconds: number;
  main: BranchState;
  history: BranchState;
  /** The branch with the approval notes. */
  notes: BranchState;
  /** The index of the published SOPs on `main`. */
  index: MainIndex;
  categories: readonly CategoryEntry[];
}

/** The contents that an event needs. Both functions throw if they don't have the content. */
export interface Contents {
  /** The bytes of a version's file. */
  file(sopId: string, version: number, contentHash: string | null): Uint8Array;
  /**
   * The blob id of an asset. The blob itself is stored already, because an event can have more assets than fit into
   * memory.
   */
  asset(sha256: string): string;
}

export interface TagObject {
  /** The name of the tag without `refs/tags/`. */
  name: string;
  oid: string;
}

export interface ProjectedEvent {
  seq: number;
  oids: CommitIds;
  /** The commit of the event's notes; null if it has none. */
  notes: string | null;
  tags: TagObject[];
}

export class LedgerError extends Error {
  readonly seq: number;

  constructor(seq: number, message: string) {
    super(`event ${seq}: ${message}`);
    this.name = "LedgerError";
    this.seq = seq;
  }
}

export function emptyRepositoryState(): RepositoryState {
  const emptyBranch = (): BranchState => ({ tree: emptyFolder(), head: null });
  return {
    seq: -1,
    seconds: 0,
    main: emptyBranch(),
    history: emptyBranch(),
    notes: emptyBranch(),
    index: new MainIndex(),
    categories: [],
  };
}

/** Returns the versions of an event whose bytes the ledger must provide: new files, and those that the index reads. */
export function versionsFromLedger(event: RepoEvent): { sopId: string; version: number }[] {
  const { history, main } = treeChangesOf(event);
  const needed = new Map<string, { sopId: string; version: number }>();
  for (const change of [...history, ...main]) {
    if (change.kind !== "file") continue;
    // the index takes titles and owners from the files of `main`
    const isIndexed = main.includes(change) && indexedCategoryOf(change.path) !== null;
    if (change.from !== null && !isIndexed && !event.isAfterUnreadable) continue;
    needed.set(`${change.sopId} ${change.version}`, { sopId: change.sopId, version: change.version });
  }
  return [...needed.values()];
}

/** Returns the SHA-256 of the event's assets that the repository lacks. They must be stored before the event is committed. */
export function missingAssetsOf(state: RepositoryState, event: RepoEvent): string[] {
  const { history, main } = treeChangesOf(event);
  const missing = [...history, ...main].flatMap((change) =>
    change.kind === "asset" && blobIdAt(state.history.tree, change.path) === null ? [change.sha256] : [],
  );
  return [...new Set(missing)];
}

/**
 * Makes the commits of one event. All objects except for blobs of assets go to `sink`, and `state` is updated.
 * @throws LedgerError when the event isn't the next one or doesn't fit the repository
 */
export function projectEvent(
  state: RepositoryState,
  event: RepoEvent,
  contents: Contents,
  sha1: Sha1,
  sink: ObjectSink,
): ProjectedEvent {
  if (event.formatVersion !== formatVersion)
    throw new LedgerError(event.seq, "written by a newer version of this program");
  if (event.seq !== state.seq + 1) throw new LedgerError(event.seq, `expected event ${state.seq + 1}`);
  const author = commitIdentityOf(event.authorId, event.authorName);
  const seconds = Math.max(epochSeconds(event.at), state.seconds);
  const commit = (branch: BranchState, message: string): string => {
    const { tree: files, head: parent } = branch;
    const content = commitBytes({ tree: hashTree(files, sha1, sink), parent, author, seconds, message });
    const oid = objectId("commit", content, sha1);
    sink("commit", oid, content);
    branch.head = oid;
    return oid;
  };
  const changes = treeChangesOf(event);
  const messages = { history: commitMessage(event, "history"), main: commitMessage(event, "main") };
  const oids: CommitIds = { main: null, history: null };
  if (event.categories !== undefined) state.categories = event.categories;
  // `history` comes first, because `main` takes its blobs from there.
  applyChanges(state, event, "history", changes.history, contents, sha1, sink);
  oids.history = commit(state.history, messages.history);
  if (changes.main.length > 0) {
    applyChanges(state, event, "main", changes.main, contents, sha1, sink);
    const pages = updateIndex(state, changes.main, contents);
    // `found` makes the same commit on both branches, so the next change of `main` adds the index
    if (event.type !== "found") writeIndex(state, event, pages, sha1, sink);
    oids.main = commit(state.main, messages.main);
  }
  const noted = addApprovalNotes(state.notes.tree, oids, messages, sha1, sink);
  const notes = noted
    ? commit(state.notes, notesCommitMessage(messages.history.split("\n", 1)[0] ?? "", event.seq))
    : null;
  state.seq = event.seq;
  state.seconds = seconds;
  return { seq: event.seq, oids, notes, tags: publicationTagsOf(event, oids.main) };
}

/** @returns the categories whose pages may differ */
function updateIndex({ index }: RepositoryState, changes: readonly TreeChange[], contents: Contents): Set<string> {
  const pages = new Set<string | null>();
  for (const { kind, path } of changes) if (kind === "remove") pages.add(index.remove(path));
  for (const change of changes) {
    if (change.kind !== "file" || indexedCategoryOf(change.path) === null) continue;
    const facts = readVersionFacts(decodeUtf8(contents.file(change.sopId, change.version, change.contentHash)));
    if (facts !== null) pages.add(index.set(change.path, facts));
  }
  pages.delete(null);
  return pages as Set<string>;
}

function writeIndex(
  { main: { tree }, index, categories }: RepositoryState,
  event: RepoEvent,
  changed: ReadonlySet<string>,
  sha1: Sha1,
  sink: ObjectSink,
): void {
  const isWhole = blobIdAt(tree, readmePath) === null || event.categories !== undefined;
  const pages = isWhole ? new Set([...index.categories(), ...changed]) : changed;
  // a new version with the same title and owner doesn't change the index
  if (!isWhole && pages.size === 0) return;
  const files = new Map<string, string | null>([
    [readmePath, index.readme(categories)],
    [codeownersPath, index.codeowners()],
  ]);
  for (const page of pages) files.set(indexPagePath(page), index.page(page, categories));
  for (const [path, text] of files) {
    if (text === null) removeFile(tree, path);
    else putText(tree, path, text, sha1, sink);
  }
}

function putText(tree: TreeFolder, path: string, text: string, sha1: Sha1, sink: ObjectSink): void {
  const content = blobBytes(text);
  const oid = objectId("blob", content, sha1);
  if (putFile(tree, path, oid)) sink("blob", oid, content);
}

/** Adds the same approval record to the event's commit on each branch. @returns whether there is a record */
function addApprovalNotes(
  tree: TreeFolder,
  oids: CommitIds,
  messages: Record<Branch, string>,
  sha1: Sha1,
  sink: ObjectSink,
): boolean {
  let isNoted = false;
  for (const branch of ["main", "history"] as const) {
    const [commit, note] = [oids[branch], approvalNoteOf(messages[branch])];
    if (commit === null || note === null) continue;
    putText(tree, notePath(commit), note, sha1, sink);
    isNoted = true;
  }
  return isNoted;
}

/** The tags of a publication. An existing tag never moves, because clones refuse moved tags. */
export function publicationTagsOf(event: RepoEvent, main: string | null): TagObject[] {
  if (event.type !== "publish" || main === null) return [];
  return event.items
    .filter((item) => isBranchChangedBy(item, "main") && item.after?.mainVersion === item.version)
    .map((item) => ({ name: versionTag(item.label ?? defaultNumberLabel(item.number), item.version), oid: main }));
}

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

function decodeUtf8(content: Uint8Array): string {
  return utf8.decode(content);
}

function applyChanges(
  state: RepositoryState,
  event: RepoEvent,
  branch: Branch,
  changes: readonly TreeChange[],
  contents: Contents,
  sha1: Sha1,
  sink: ObjectSink,
): void {
  const addBlob = (content: Uint8Array): string => {
    const oid = objectId("blob", content, sha1);
    sink("blob", oid, content);
    return oid;
  };
  const blobAt = (from: { branch: Branch; path: string }): string => {
    const oid = blobIdAt(state[from.branch].tree, from.path);
    if (oid === null) throw new LedgerError(event.seq, `${from.path} isn't on ${from.branch}`);
    return oid;
  };
  const blobIdOfChange = (change: TreeChange): string | null => {
    if (change.kind === "remove") return null;
    if (change.kind === "text") return addBlob(blobBytes(change.text));
    if (change.kind === "asset") return blobIdAt(state.history.tree, change.path) ?? contents.asset(change.sha256);
    if (change.from !== null && !event.isAfterUnreadable) return blobAt(change.from);
    return addBlob(contents.file(change.sopId, change.version, change.contentHash));
  };
  // Find all blobs before moving any file, because one item's new path can be another item's old path.
  const resolved = changes.map((change) => ({ path: change.path, oid: blobIdOfChange(change) }));
  const tree = state[branch].tree;
  const removals = resolved.filter((change) => change.oid === null);
  for (const { path } of removals) {
    if (!removeFile(tree, path) && !event.isAfterUnreadable)
      throw new LedgerError(event.seq, `${path} isn't on ${branch}`);
  }
  for (const { path, oid } of resolved) if (oid !== null) putFile(tree, path, oid);
}
