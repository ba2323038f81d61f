/** A branch's tree in memory: paths → blob ids. Unchanged folders keep their ids. */
import { objectId, treeContentBytes, createTreeLine, type ObjectType, type Sha1, type GitTreeLine } from "./objects.ts";

/** Gets every new object. */
export type ObjectSink = (type: ObjectType, oid: string, content: Uint8Array) => void;

interface TreeFile extends GitTreeLine {
  oid: string;
}

export interface TreeFolder {
  readonly entries: Map<string, TreeFile | TreeFolder>;
  /** The entries in git's order. The entry of a changed folder is outdated until the folder is hashed again. */
  readonly lines: GitTreeLine[];
  /** The id of the tree; null if the folder changed since it was last hashed. */
  oid: string | null;
}

export function emptyFolder(): TreeFolder {
  return { entries: new Map(), lines: [], oid: null };
}

function isFolderNode(entry: TreeFile | TreeFolder | undefined): entry is TreeFolder {
  return entry !== undefined && "entries" in entry;
}

/** The blob id at a path; null if there is none. */
export function blobIdAt(root: TreeFolder, path: string): string | null {
  let at: TreeFile | TreeFolder | undefined = root;
  for (const name of path.split("/")) {
    if (!isFolderNode(at)) return null;
    at = at.entries.get(name);
  }
  return at === undefined || isFolderNode(at) ? null : at.oid;
}

/** The files inside a folder, at any depth. */
export function filesInFolder(folder: TreeFolder, prefix = ""): { path: string; oid: string }[] {
  return [...folder.entries].flatMap(([name, entry]) =>
    isFolderNode(entry) ? filesInFolder(entry, `${prefix}${name}/`) : [{ path: prefix + name, oid: entry.oid }],
  );
}

/** Puts a blob at a path. @returns whether that changed anything */
export function putFile(root: TreeFolder, path: string, oid: string): boolean {
  if (blobIdAt(root, path) === oid) return false;
  const names = path.split("/");
  const fileName = names.pop() ?? "";
  let folder = root;
  folder.oid = null;
  for (const name of names) {
    const found = folder.entries.get(name);
    const next = isFolderNode(found) ? found : emptyFolder();
    next.oid = null;
    if (next !== found) removeEntry(folder, name);
    folder.entries.set(name, next);
    folder = next;
  }
  const file = { oid, ...createTreeLine(fileName, oid, false) };
  if (isFolderNode(folder.entries.get(fileName))) removeEntry(folder, fileName);
  folder.entries.set(fileName, file);
  putLine(folder, file);
  return true;
}

/** Removes a file and the folders that become empty. @returns whether the file existed */
export function removeFile(root: TreeFolder, path: string): boolean {
  if (blobIdAt(root, path) === null) return false;
  removePathFromFolder(root, path.split("/"));
  return true;
}

/** The id of the tree. Passes every folder that changed since the last call to `sink`. */
export function hashTree(folder: TreeFolder, sha1: Sha1, sink?: ObjectSink): string {
  if (folder.oid !== null) return folder.oid;
  for (const [name, entry] of folder.entries) {
    if (isFolderNode(entry) && entry.oid === null)
      putLine(folder, createTreeLine(name, hashTree(entry, sha1, sink), true));
  }
  const content = treeContentBytes(folder.lines);
  const oid = objectId("tree", content, sha1);
  sink?.("tree", oid, content);
  folder.oid = oid;
  return oid;
}

function removePathFromFolder(folder: TreeFolder, names: readonly string[]): void {
  const [name = "", ...rest] = names;
  folder.oid = null;
  const entry = folder.entries.get(name);
  if (rest.length > 0 && isFolderNode(entry)) {
    removePathFromFolder(entry, rest);
    if (entry.entries.size > 0) return;
  }
  removeEntry(folder, name);
}

function removeEntry({ entries, lines }: TreeFolder, name: string): void {
  const sortName = isFolderNode(entries.get(name)) ? `${name}/` : name;
  const at = sortedEntryIndex(sortName, lines);
  if (lines[at]?.sortName === sortName) lines.splice(at, 1);
  entries.delete(name);
}

function putLine({ lines }: TreeFolder, line: GitTreeLine): void {
  const at = sortedEntryIndex(line.sortName, lines);
  lines.splice(at, lines[at]?.sortName === line.sortName ? 1 : 0, line);
}

/**
 * The index of an entry, or the index at which to insert it. Sorting a folder for each commit would take longer than
 * hashing it.
 */
function sortedEntryIndex(sortName: string, lines: readonly GitTreeLine[]): number {
  let [from, to] = [0, lines.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((lines[middle]?.sortName ?? "") < sortName) from = middle + 1;
    else to = middle;
  }
  return from;
}
