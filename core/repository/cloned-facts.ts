/** Reads the objects of a clone. It computes the hash of each object again before using it. */
import { ClonedFolder } from "./cloned-folder.ts";
import { decodeUtf8Strictly, Difference } from "./difference.ts";
import type { Branch } from "./event.ts";
import { readVersionFacts, type VersionFileFacts } from "./file-facts.ts";
import { objectId, type ObjectType, type Sha1 } from "./objects.ts";

/** A sequence of commits: a branch, or the notes. */
export type CommitLine = Branch | "notes";

/** The access to a clone that the proof needs. */
export interface ClonedRepository {
  /** An object as git unpacks it; null if it is missing, damaged or too large. Many can be requested at once. */
  read(oid: string): Promise<{ type: string; content: Uint8Array } | null>;
  /** The commits that git lists for the heads. They are unverified and only used to read ahead. */
  listed: readonly string[];
  /** The commits that a branch points to: the local branch and the server's. Notes only exist if they were fetched. */
  heads: Readonly<Record<CommitLine, readonly string[]>>;
  /** The tags of publications, such as `sop-0042/v3`. */
  tags: readonly { name: string; oid: string }[];
}

export interface Hashes {
  sha1: Sha1;
  /** The SHA-256 of bytes in hexadecimal digits. */
  sha256(content: Uint8Array): string;
}

export interface ClonedVersion {
  /** The number of the version; -1 if the commit doesn't state it. */
  version: number;
  /** The hash of the version's file; null if the commit doesn't state it. */
  sha256: string | null;
}

export interface Commit {
  oid: string;
  tree: string;
  parents: string[];
  committer: string;
  /** Seconds since the epoch. */
  seconds: number;
  /** The verb of the event; null if the commit states none. */
  event: string | null;
  /** The number of the event; -1 if the commit states none. */
  seq: number;
  /** SOP id → the version that the commit names. */
  items: Map<string, ClonedVersion>;
  approvals: { name: string; at: string }[];
  message: string;
}

/** A version of an SOP as its file states it. */
export interface StatedVersion extends VersionFileFacts {
  sha256: string;
}

const commitsAtOnce = 1_000;

/** Reads objects and verifies the hash of each. */
export class ClonedFacts {
  readonly sha256: Hashes["sha256"];
  /** `<id> <version>` → SHA-256 of the version's file. */
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

  async readCommit(oid: string): Promise<Commit> {
    const known = this.#commits.get(oid);
    if (known !== undefined) return known;
    const commit = parseCommit(oid, await this.#read(oid, "commit"));
    this.#commits.set(oid, commit);
    return commit;
  }

  /** Reads many commits at once. Errors are ignored here; `readCommit` throws them. */
  async readAhead(commits: readonly string[]): Promise<void> {
    for (let at = 0; at < commits.length; at += commitsAtOnce)
      await Promise.allSettled(commits.slice(at, at + commitsAtOnce).map((oid) => this.readCommit(oid)));
  }

  /** A commit that was already read; undefined for others. */
  commitIfRead(oid: string): Commit | undefined {
    return this.#commits.get(oid);
  }

  readBlob(oid: string): Promise<Uint8Array> {
    return this.#read(oid, "blob");
  }

  async readVersion(oid: string): Promise<StatedVersion> {
    const known = this.#versions.get(oid);
    if (known !== undefined) return known;
    const content = await this.readBlob(oid);
    const facts = readVersionFacts(decodeUtf8Strictly(`object ${oid}`, content));
    if (facts === null) throw new Difference(`the front matter of ${oid} has no id, number or version`);
    const version = { ...facts, sha256: this.sha256(content) };
    this.#versions.set(oid, version);
    return version;
  }

  async readText(oid: string): Promise<string> {
    return decodeUtf8Strictly(`object ${oid}`, await this.readBlob(oid));
  }

  /** The commits that lead to a head, oldest first. */
  async commitsUpTo(head: string): Promise<string[]> {
    const line: string[] = [];
    for (let oid: string | undefined = head; oid !== undefined;) {
      line.push(oid);
      const { parents }: Commit = await this.readCommit(oid);
      if (parents.length > 1) throw new Difference(`commit ${oid} is a merge: the server makes none`);
      oid = parents[0];
    }
    return line.toReversed();
  }

  /** The folder with this tree id. @param before the same folder in the commit before */
  folderOfTree(oid: string, before: ClonedFolder | null): ClonedFolder {
    return before?.oid === oid ? before : new ClonedFolder((tree) => this.#read(tree, "tree"), oid, before);
  }

  async #read(oid: string, type: ObjectType): Promise<Uint8Array> {
    const object = await this.#clone.read(oid);
    if (object?.type !== type || objectId(type, object.content, this.#sha1) !== oid) {
      throw new Difference(`object ${oid} is missing, damaged or too large`);
    }
    return object.content;
  }
}

/** @throws Difference for an object that is no commit of the server */
export function parseCommit(oid: string, content: Uint8Array): Commit {
  const text = decodeUtf8Strictly(`object ${oid}`, content);
  const end = text.indexOf("\n\n");
  const head = text.slice(0, end).split("\n");
  const message = text.slice(end + 2);
  const headerValues = (name: string) =>
    head.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1));
  const [tree = ""] = headerValues("tree");
  const [, by = "", seconds = ""] = /^(.*) (\d+) [+-]\d{4}$/.exec(headerValues("committer")[0] ?? "") ?? [];
  if (end === -1 || tree === "" || seconds === "") throw new Difference(`commit ${oid} has another format`);
  return {
    oid,
    tree,
    parents: headerValues("parent"),
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
    items: new Map<string, ClonedVersion>(),
    approvals: [] as Commit["approvals"],
  };
  let item: ClonedVersion | undefined;
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
