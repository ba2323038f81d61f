/** A branch's tree in memory: paths → blob ids, with the ids of unchanged folders kept. */
import { objectId, treeBytes, treeEntry, type ObjectType, type Sha1, type TreeEntry } from "./objects.ts";

/** Called with every object that comes into being. */
export type ObjectSink = (type: ObjectType, oid: string, content: Uint8Array) => void;

interface File extends TreeEntry {
  oid: string;
}

export interface Folder {
  readonly entries: Map<string, File | Folder>;
  /** null: changed since it was last hashed */
  oid: string | null;
}

export function emptyFolder(): Folder {
  return { entries: new Map(), oid: null };
}

function isFolder(entry: File | Folder | undefined): entry is Folder {
  return entry !== undefined && "entries" in entry;
}

/** The blob id at a path, or null. */
export function fileAt(root: Folder, path: string): string | null {
  let at: File | Folder | undefined = root;
  for (const name of path.split("/")) {
    if (!isFolder(at)) return null;
    at = at.entries.get(name);
  }
  return at === undefined || isFolder(at) ? null : at.oid;
}

/** Every file below a folder. */
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
    folder.entries.set(name, next);
    folder = next;
  }
  folder.entries.set(fileName, { oid, ...treeEntry(fileName, oid, false) });
  return true;
}

/** Removes a file and the folders that it leaves empty. @returns whether it was there */
export function removeFile(root: Folder, path: string): boolean {
  if (fileAt(root, path) === null) return false;
  removeFrom(root, path.split("/"));
  return true;
}

/** The tree's id; hands every folder that changed since the last call to `sink`. */
export function hashTree(folder: Folder, sha1: Sha1, sink?: ObjectSink): string {
  if (folder.oid !== null) return folder.oid;
  const entries: TreeEntry[] = [];
  for (const [name, entry] of folder.entries) {
    entries.push(isFolder(entry) ? treeEntry(name, hashTree(entry, sha1, sink), true) : entry);
  }
  const content = treeBytes(entries);
  const oid = objectId("tree", content, sha1);
  sink?.("tree", oid, content);
  folder.oid = oid;
  return oid;
}

function removeFrom(folder: Folder, names: readonly string[]): void {
  const [name = "", ...rest] = names;
  folder.oid = null;
  const entry = folder.entries.get(name);
  if (rest.length === 0 || !isFolder(entry)) {
    folder.entries.delete(name);
    return;
  }
  removeFrom(entry, rest);
  if (entry.entries.size === 0) folder.entries.delete(name);
}
