/** A branch's tree in memory: paths → blob ids. Unchanged folders keep their ids. */
import { objectId, treeBytes, treeEntry, type ObjectType, type Sha1, type TreeEntry } from "./objects.ts";

/** Gets every new object. */
export type ObjectSink = (type: ObjectType, oid: string, content: Uint8Array) => void;

interface File extends TreeEntry {
  oid: string;
}

export interface Folder {
  readonly entries: Map<string, File | Folder>;
  /** The entries in git's order. The entry of a changed folder is outdated until the folder is hashed again. */
  readonly lines: TreeEntry[];
  /** The id of the tree; null if the folder changed since it was last hashed. */
  oid: string | null;
}

export function emptyFolder(): Folder {
  return { entries: new Map(), lines: [], oid: null };
}

function isFolder(entry: File | Folder | undefined): entry is Folder {
  return entry !== undefined && "entries" in entry;
}

/** The blob id at a path; null if there is none. */
export function fileAt(root: Folder, path: string): string | null {
  let at: File | Folder | undefined = root;
  for (const name of path.split("/")) {
    if (!isFolder(at)) return null;
    at = at.entries.get(name);
  }
  return at === undefined || isFolder(at) ? null : at.oid;
}

/** The files inside a folder, at any depth. */
export function filesIn(folder: Folder, prefix = ""): { path: string; oid: string }[] {
  return [...folder.entries].flatMap(([name, entry]) =>
    isFolder(entry) ? filesIn(entry, `${prefix}${name}/`) : [{ path: prefix + name, oid: entry.oid }],
  );
}

/** Puts a blob at a path. @returns whether that changed anything */
export function putFile(root: Folder, path: string, oid: string): boolean {
  if (fileAt(root, path) === oid) return false;
  const names = path.split("/");
  const fileName = names.pop() ?? "";
  let folder = root;
  folder.oid = null;
  for (const name of names) {
    const found = folder.entries.get(name);
    const next = isFolder(found) ? found : emptyFolder();
    next.oid = null;
    if (next !== found) removeEntry(folder, name);
    folder.entries.set(name, next);
    folder = next;
  }
  const file = { oid, ...treeEntry(fileName, oid, false) };
  if (isFolder(folder.entries.get(fileName))) removeEntry(folder, fileName);
  folder.entries.set(fileName, file);
  putLine(folder, file);
  return true;
}

/** Removes a file and the folders that become empty. @returns whether the file existed */
export function removeFile(root: Folder, path: string): boolean {
  if (fileAt(root, path) === null) return false;
  removeFrom(root, path.split("/"));
  return true;
}

/** The id of the tree. Passes every folder that changed since the last call to `sink`. */
export function hashTree(folder: Folder, sha1: Sha1, sink?: ObjectSink): string {
  if (folder.oid !== null) return folder.oid;
  for (const [name, entry] of folder.entries) {
    if (isFolder(entry) && entry.oid === null) putLine(folder, treeEntry(name, hashTree(entry, sha1, sink), true));
  }
  const content = treeBytes(folder.lines);
  const oid = objectId("tree", content, sha1);
  sink?.("tree", oid, content);
  folder.oid = oid;
  return oid;
}

function removeFrom(folder: Folder, names: readonly string[]): void {
  const [name = "", ...rest] = names;
  folder.oid = null;
  const entry = folder.entries.get(name);
  if (rest.length > 0 && isFolder(entry)) {
    removeFrom(entry, rest);
    if (entry.entries.size > 0) return;
  }
  removeEntry(folder, name);
}

function removeEntry({ entries, lines }: Folder, name: string): void {
  const sortName = isFolder(entries.get(name)) ? `${name}/` : name;
  const at = placeOf(sortName, lines);
  if (lines[at]?.sortName === sortName) lines.splice(at, 1);
  entries.delete(name);
}

function putLine({ lines }: Folder, line: TreeEntry): void {
  const at = placeOf(line.sortName, lines);
  lines.splice(at, lines[at]?.sortName === line.sortName ? 1 : 0, line);
}

/**
 * The index of an entry, or the index at which to insert it. Sorting a folder for each commit would take longer than
 * hashing it.
 */
function placeOf(sortName: string, lines: readonly TreeEntry[]): number {
  let [from, to] = [0, lines.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((lines[middle]?.sortName ?? "") < sortName) from = middle + 1;
    else to = middle;
  }
  return from;
}
