/**
 * Finds the files that differ between two trees, folder by folder. Stops at limits, because a few small trees that
 * contain each other can have more paths than git can list.
 */

export interface ChangedFile {
  path: string;
  mode: string;
  /** Null if the file is deleted. */
  oid: string | null;
  /** The id of the blob before the change; null if the file is added. */
  before: string | null;
}

export interface ChangedFilesLimits {
  /** The maximum number of files and changed folders. */
  files: number;
  /** The maximum number of nested folders. */
  depth: number;
  /** The maximum number of bytes of all paths together. */
  bytes: number;
}

/** Reads trees by name. Returns them in the order of the names. */
export type ReadTrees = (names: readonly string[]) => Promise<Buffer[]>;

export class TooManyFiles extends Error {
  readonly by: "files" | "depth";

  constructor(by: "files" | "depth") {
    super(`too much by ${by}`);
    this.name = "TooManyFiles";
    this.by = by;
  }
}

/** A folder whose trees differ. The names are those for `ReadTrees`. */
interface ChangedFolder {
  path: string;
  before: string | null;
  after: string | null;
}

interface GitTreeEntry {
  name: string;
  mode: string;
  oid: string;
}

const folderMode = "40000";
const idBytes = 20;

/**
 * Returns the files that differ.
 * @param before the name of a tree; null if there was no tree
 * @throws TooManyFiles
 */
export async function findChangedFiles(
  read: ReadTrees,
  before: string | null,
  after: string,
  bounds: ChangedFilesLimits,
): Promise<ChangedFile[]> {
  const files: ChangedFile[] = [];
  let bytes = 0;
  let level: ChangedFolder[] = [{ path: "", before, after }];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > bounds.depth) throw new TooManyFiles("depth");
    const names = [...new Set(level.flatMap((folder) => [folder.before, folder.after]))].filter(
      (name) => name !== null,
    );
    const contents = await read(names);
    const trees = new Map(names.map((name, at) => [name, contents[at] ?? Buffer.alloc(0)]));
    const treeOf = (name: string | null) => (name === null ? Buffer.alloc(0) : (trees.get(name) ?? Buffer.alloc(0)));
    const deeper: ChangedFolder[] = [];
    for (const folder of level) {
      for (const [name, old, now] of differingEntries(treeOf(folder.before), treeOf(folder.after))) {
        const path = `${folder.path}${Buffer.from(name, "latin1").toString("utf8")}`;
        const [oldFolder, newFolder] = [folderHashOrNull(old), folderHashOrNull(now)];
        if (oldFolder ?? newFolder) deeper.push({ path: `${path}/`, before: oldFolder, after: newFolder });
        const [oldFile, newFile] = [fileEntryOrNull(old), fileEntryOrNull(now)];
        if (oldFile ?? newFile) {
          files.push({ path, mode: newFile?.mode ?? "0", oid: newFile?.oid ?? null, before: oldFile?.oid ?? null });
        }
        bytes += path.length;
        if (files.length + deeper.length > bounds.files || bytes > bounds.bytes) throw new TooManyFiles("files");
      }
    }
    level = deeper;
  }
  return files.toSorted((one, other) => Buffer.compare(Buffer.from(one.path), Buffer.from(other.path)));
}

const folderHashOrNull = (entry: GitTreeEntry | null) => (entry?.mode === folderMode ? entry.oid : null);
const fileEntryOrNull = (entry: GitTreeEntry | null) => (entry === null || entry.mode === folderMode ? null : entry);

/**
 * Yields the entries that differ between two trees. A generator, so that the caller can stop early: a tree can have a
 * million entries.
 */
function* differingEntries(
  before: Buffer,
  after: Buffer,
): Generator<[name: string, GitTreeEntry | null, GitTreeEntry | null]> {
  const old = new Map<string, GitTreeEntry>();
  for (const entry of readTreeEntries(before)) old.set(entry.name, entry);
  for (const entry of readTreeEntries(after)) {
    const was = old.get(entry.name) ?? null;
    old.delete(entry.name);
    if (was?.oid !== entry.oid || was.mode !== entry.mode) yield [entry.name, was, entry];
  }
  for (const [name, entry] of old) yield [name, entry, null];
}

function* readTreeEntries(tree: Buffer): Generator<GitTreeEntry> {
  for (let at = 0; at < tree.length;) {
    const space = tree.indexOf(" ", at);
    const end = tree.indexOf(0, space);
    const next = end + 1 + idBytes;
    if (space === -1 || end === -1 || next > tree.length) throw new Error("a tree has another format");
    const mode = tree.toString("latin1", at, space);
    // latin1 keeps names apart that aren't valid UTF-8
    const name = tree.toString("latin1", space + 1, end);
    yield { name, mode: canonicalFileMode(mode), oid: tree.toString("hex", end + 1, next) };
    at = next;
  }
}

/** Returns the mode that today's git writes. Old versions wrote 100664. */
function canonicalFileMode(mode: string): string {
  if (!mode.startsWith("100")) return mode;
  return (Number.parseInt(mode, 8) & 0o100) === 0 ? "100644" : "100755";
}
