/** A folder of a commit in a clone, and the commit's changes in it. */
import { decodeUtf8Strictly, Difference } from "./difference.ts";

export interface ClonedTreeEntry {
  mode: string;
  oid: string;
}

export interface FileChange {
  path: string;
  before: ClonedTreeEntry | null;
  after: ClonedTreeEntry | null;
}

/** Reads the content of a tree after its hash was verified. */
export type ReadTree = (oid: string) => Promise<Uint8Array>;

interface ComparedFolders {
  folders: Map<string, ClonedFolder>;
  changes: (FileChange | ClonedFolder)[];
}

const folderMode = "40000";
/**
 * The depth of the deepest folder that the server makes: `assets/ab/`. Without this limit, nested trees of a few bytes
 * could contain billions of files.
 */
const deepest = 2;
const idBytes = 20;
const nothing = new Uint8Array();

/**
 * Reads a folder and compares it with the commit before. Unchanged folders aren't read again, and of the others only
 * the differences are parsed.
 */
export class ClonedFolder {
  readonly oid: string | null;
  readonly #content: Promise<Uint8Array>;
  readonly #compared: Promise<ComparedFolders>;

  /**
   * @param oid null: the commit removed the folder
   * @param before the folder in the commit before
   */
  constructor(read: ReadTree, oid: string | null, before: ClonedFolder | null, path = "") {
    this.oid = oid;
    this.#content = oid === null ? Promise.resolve(nothing) : read(oid);
    this.#compared = this.#compare(read, before, path);
    // `changes` throws a read error later, after errors of earlier commits
    for (const one of [this.#content, this.#compared]) one.catch(() => undefined);
  }

  /** The files that differ from the commit before. */
  async changes(): Promise<FileChange[]> {
    const { changes } = await this.#compared;
    return (await Promise.all(changes.map((one) => (one instanceof ClonedFolder ? one.changes() : [one])))).flat();
  }

  async #compare(read: ReadTree, before: ClonedFolder | null, path: string): Promise<ComparedFolders> {
    const [from, folders] = before === null ? [nothing] : [await before.#content, (await before.#compared).folders];
    const compared: ComparedFolders = { folders: new Map(folders), changes: [] };
    const [old, now] = differingTreeEntries(
      { oid: before?.oid ?? null, content: from },
      { oid: this.oid, content: await this.#content },
    );
    for (const name of new Set([...old.keys(), ...now.keys()])) {
      const [one, other] = [old.get(name) ?? null, now.get(name) ?? null];
      if (one?.oid === other?.oid && one?.mode === other?.mode) continue;
      const [was, is] = [one?.mode === folderMode, other?.mode === folderMode];
      if (is && path.split("/").length > deepest) throw new Difference(`${path}${name} has no place in the repository`);
      if (was || is) {
        const after = is ? (other?.oid ?? null) : null;
        const folder = new ClonedFolder(read, after, compared.folders.get(name) ?? null, `${path}${name}/`);
        if (is) compared.folders.set(name, folder);
        else compared.folders.delete(name);
        compared.changes.push(folder);
      }
      const file = { path: path + name, before: was ? null : one, after: is ? null : other };
      if (file.before !== null || file.after !== null) compared.changes.push(file);
    }
    return compared;
  }
}

interface Tree {
  oid: string | null;
  content: Uint8Array;
}

type TreeEntries = Map<string, ClonedTreeEntry>;

/**
 * The entries in which two trees differ. Equal entries at the beginning and the end aren't parsed, because a commit
 * changes few of thousands.
 */
function differingTreeEntries(from: Tree, to: Tree): [TreeEntries, TreeEntries] {
  const [one, other] = [from.content, to.content];
  const head = equalEntriesLength(one, other);
  const most = Math.min(one.length, other.length) - head;
  let tail = 0;
  while (tail < most && one[one.length - 1 - tail] === other[other.length - 1 - tail]) tail += 1;
  const [old, now]: [TreeEntries, TreeEntries] = [new Map(), new Map()];
  for (let [a, b] = [head, head]; a < one.length || b < other.length;) {
    const [left, right] = [one.length - a, other.length - b];
    if (left === right && left <= tail) break;
    if (left >= right) a = parseTreeEntry(from, a, old);
    else b = parseTreeEntry(to, b, now);
  }
  return [old, now];
}

/** The length in bytes of the equal entries at the beginning of both trees. */
function equalEntriesLength(one: Uint8Array, other: Uint8Array): number {
  let entries = 0;
  let idEnds = -1;
  for (let at = 0; at < one.length && at < other.length && one[at] === other[at]; at += 1) {
    if (at < idEnds) continue;
    if (at === idEnds) entries = at + 1;
    else if (one[at] === 0) idEnds = at + idBytes;
  }
  return entries;
}

/** Name → mode and object of each entry. @throws Difference for content that is no tree */
export function readTreeObject(oid: string, content: Uint8Array): ReadonlyMap<string, ClonedTreeEntry> {
  const entries: TreeEntries = new Map();
  for (let at = 0; at < content.length;) at = parseTreeEntry({ oid, content }, at, entries);
  return entries;
}

/** @returns the offset of the next entry */
function parseTreeEntry({ oid, content }: Tree, at: number, entries: TreeEntries): number {
  const end = content.indexOf(0, at);
  if (end === -1 || end + idBytes >= content.length) throw new Difference(`tree ${oid} has another format`);
  const next = end + 1 + idBytes;
  const [mode = "", ...name] = decodeUtf8Strictly(`object ${oid}`, content.subarray(at, end)).split(" ");
  entries.set(name.join(" "), { mode, oid: hexOfBytes(content.subarray(end + 1, next)) });
  return next;
}

const digits = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

function hexOfBytes(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += digits[byte];
  return text;
}
