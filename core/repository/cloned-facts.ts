/** Objects of a clone. The hash of each one is computed again before it is believed. */
import type { Branch } from "./event.ts";
import { fileFacts, type FileFacts } from "./file-facts.ts";
import { objectId, type ObjectType, type Sha1 } from "./objects.ts";

/** What is one line of commits. */
export type Line = Branch | "notes";

/** What is read of a clone. */
export interface ClonedRepository {
  /** An object as git unpacks it; null when it is missing or damaged. */
  read(oid: string): Promise<{ type: string; content: Uint8Array } | null>;
  /** Commits that a branch points to: the local one and that of the server. Notes only where they were fetched. */
  heads: Readonly<Record<Line, readonly string[]>>;
  /** Tags of publications: `sop-0042/v3`. */
  tags: readonly { name: string; oid: string }[];
}

/** The clone holds something else than it states. The message names the place. */
export class Difference extends Error {}

/** Why a clone has nothing that can be proved: one of a user who can't read everything, for example. */
export class CannotProve extends Error {}

export interface Hashes {
  sha1: Sha1;
  /** Of bytes, in hex. */
  sha256(content: Uint8Array): string;
}

export interface Item {
  version: number;
  sha256: string | null;
}

export interface Commit {
  tree: string;
  parents: string[];
  committer: string;
  /** Since the epoch. */
  seconds: number;
  event: string | null;
  seq: number;
  items: Map<string, Item>;
  approvals: { name: string; at: string }[];
  message: string;
}

export interface TreeEntry {
  mode: string;
  oid: string;
}

export interface FileChange {
  path: string;
  before: TreeEntry | null;
  after: TreeEntry | null;
}

/** A version of an SOP as its file states it. */
export interface StatedVersion extends FileFacts {
  sha256: string;
}

const folderMode = "40000";
const idBytes = 20;

/** Reads objects, each hashed again. */
export class ClonedFacts {
  readonly sha256: Hashes["sha256"];
  /** `<id> <version>` → SHA-256 of its file. */
  readonly texts = new Map<string, string>();
  readonly #clone: ClonedRepository;
  readonly #sha1: Sha1;
  readonly #commits = new Map<string, Commit>();
  readonly #versions = new Map<string, StatedVersion>();

  constructor(clone: ClonedRepository, { sha1, sha256 }: Hashes) {
    this.#clone = clone;
    this.#sha1 = sha1;
    this.sha256 = sha256;
  }

  async commit(oid: string): Promise<Commit> {
    const known = this.#commits.get(oid);
    if (known !== undefined) return known;
    const commit = parseCommit(oid, await this.#read(oid, "commit"));
    this.#commits.set(oid, commit);
    return commit;
  }

  /** A commit that was read before. */
  known(oid: string): Commit | undefined {
    return this.#commits.get(oid);
  }

  blob(oid: string): Promise<Uint8Array> {
    return this.#read(oid, "blob");
  }

  async version(oid: string): Promise<StatedVersion> {
    const known = this.#versions.get(oid);
    if (known !== undefined) return known;
    const content = await this.blob(oid);
    const facts = fileFacts(decoded(`object ${oid}`, content));
    if (facts === null) throw new Difference(`the front matter of ${oid} has no id, number or version`);
    const version = { ...facts, sha256: this.sha256(content) };
    this.#versions.set(oid, version);
    return version;
  }

  async text(oid: string): Promise<string> {
    return decoded(`object ${oid}`, await this.blob(oid));
  }

  /** The commits up to a head, oldest first. */
  async line(head: string): Promise<string[]> {
    const line: string[] = [];
    for (let oid: string | undefined = head; oid !== undefined;) {
      line.push(oid);
      const { parents }: Commit = await this.commit(oid);
      if (parents.length > 1) throw new Difference(`commit ${oid} is a merge: the server makes none`);
      oid = parents[0];
    }
    return line.toReversed();
  }

  /** Each file that differs between two trees. */
  async *changes(before: string | null, after: string | null, folder = ""): AsyncGenerator<FileChange> {
    if (before === after) return;
    const [from, to] = [await this.#tree(before), await this.#tree(after)];
    const [old, now] = differing(from, to);
    for (const name of new Set([...old.keys(), ...now.keys()])) {
      const [one, other] = [old.get(name) ?? null, now.get(name) ?? null];
      if (one?.oid === other?.oid && one?.mode === other?.mode) continue;
      const path = folder + name;
      const folders = [one, other].map((entry) => (entry?.mode === folderMode ? entry.oid : null));
      if (folders.some((oid) => oid !== null)) yield* this.changes(folders[0] ?? null, folders[1] ?? null, `${path}/`);
      const [was, is] = [one, other].map((entry) => (entry?.mode === folderMode ? null : entry));
      if (was || is) yield { path, before: was ?? null, after: is ?? null };
    }
  }

  async #tree(oid: string | null): Promise<Tree> {
    return oid === null ? { oid: "", content: new Uint8Array() } : { oid, content: await this.#read(oid, "tree") };
  }

  async #read(oid: string, type: ObjectType): Promise<Uint8Array> {
    const object = await this.#clone.read(oid);
    if (object?.type !== type || objectId(type, object.content, this.#sha1) !== oid) {
      throw new Difference(`object ${oid} is missing or damaged`);
    }
    return object.content;
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** @throws Difference for what is no commit of the server */
export function parseCommit(oid: string, content: Uint8Array): Commit {
  const text = decoded(`object ${oid}`, content);
  const end = text.indexOf("\n\n");
  const head = text.slice(0, end).split("\n");
  const message = text.slice(end + 2);
  const field = (name: string) =>
    head.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1));
  const [tree = ""] = field("tree");
  const [, by = "", seconds = ""] = /^(.*) (\d+) [+-]\d{4}$/.exec(field("committer")[0] ?? "") ?? [];
  if (end === -1 || tree === "" || seconds === "") throw new Difference(`commit ${oid} has another format`);
  return {
    tree,
    parents: field("parent"),
    committer: by,
    seconds: Number(seconds),
    ...parseTrailers(message.trimEnd()),
    message,
  };
}

function parseTrailers(message: string): Pick<Commit, "event" | "seq" | "items" | "approvals"> {
  const trailers = {
    event: null as string | null,
    seq: -1,
    items: new Map<string, Item>(),
    approvals: [] as Commit["approvals"],
  };
  let item: Item | undefined;
  for (const line of (message.split("\n\n").at(-1) ?? "").split("\n")) {
    const [, key = "", value = ""] = /^([A-Za-z0-9-]+): (.*)$/.exec(line) ?? [];
    if (key === "Event") trailers.event = value;
    else if (key === "Event-Seq") trailers.seq = Number(value);
    else if (key === "Sop-Id") trailers.items.set(value, (item = { version: -1, sha256: null }));
    else if (key === "Sop-Version" && item) item.version = Number(value);
    else if (key === "Content-SHA256" && item) item.sha256 = value;
    else if (key === "Approved-by") trailers.approvals.push({ name: value, at: "" });
    else if (key === "Approved-at") {
      const last = trailers.approvals.at(-1);
      if (last) last.at = value;
    }
  }
  return trailers;
}

interface Tree {
  oid: string;
  content: Uint8Array;
}

type Entries = Map<string, TreeEntry>;

/** The entries of two trees without those that both end with or begin with: a commit changes few of thousands. */
function differing(from: Tree, to: Tree): [Entries, Entries] {
  const [one, other] = [from.content, to.content];
  const head = sameEntries(one, other);
  const most = Math.min(one.length, other.length) - head;
  let tail = 0;
  while (tail < most && one[one.length - 1 - tail] === other[other.length - 1 - tail]) tail += 1;
  const [old, now]: [Entries, Entries] = [new Map(), new Map()];
  for (let [a, b] = [head, head]; a < one.length || b < other.length;) {
    const [left, right] = [one.length - a, other.length - b];
    if (left === right && left <= tail) break;
    if (left >= right) a = takeEntry(from, a, old);
    else b = takeEntry(to, b, now);
  }
  return [old, now];
}

/** The length of the entries that both begin with. */
function sameEntries(one: Uint8Array, other: Uint8Array): number {
  for (let at = 0; ;) {
    const end = one.indexOf(0, at) + idBytes + 1;
    if (end <= idBytes || end > one.length || end > other.length) return at;
    for (let byte = at; byte < end; byte += 1) if (one[byte] !== other[byte]) return at;
    at = end;
  }
}

/** @returns where the next entry begins */
function takeEntry({ oid, content }: Tree, at: number, entries: Entries): number {
  const end = content.indexOf(0, at);
  if (end === -1 || end + idBytes >= content.length) throw new Difference(`tree ${oid} has another format`);
  const next = end + 1 + idBytes;
  const [mode = "", ...name] = decoded(`object ${oid}`, content.subarray(at, end)).split(" ");
  entries.set(name.join(" "), { mode, oid: hex(content.subarray(end + 1, next)) });
  return next;
}

/** @param name an object's id, or the name of a file */
export function decoded(name: string, content: Uint8Array): string {
  try {
    return utf8.decode(content);
  } catch {
    throw new Difference(`${name} isn't UTF-8`);
  }
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
