/** Proves a clone of a repository: every hash is computed again, and each commit is compared with the files it changed. */
import type { Branch, Verb } from "./event.ts";
import { committer, objectId, type ObjectType, type Sha1 } from "./objects.ts";
import { categoriesFilePath, repoFilePath } from "./repo-files.ts";

/** What is read of a clone. */
export interface ClonedRepository {
  /** An object as git unpacks it; null when it is missing or damaged. */
  read(oid: string): Promise<{ type: string; content: Uint8Array } | null>;
  /** Commits that a branch points to: the local one and that of the server. */
  heads: Readonly<Record<Branch, readonly string[]>>;
  /** Tags of publications: `sop-0042/v3`. */
  tags: readonly { name: string; oid: string }[];
}

export interface Approval {
  number: string;
  version: number;
  /** `Grace Hopper <…@users.invalid>` and the time, as the commit states them. */
  by: { name: string; at: string }[];
}

export interface CloneProof {
  branches: { name: Branch; commits: number; head: string }[];
  /** Versions whose text was compared. */
  versions: number;
  approvals: Approval[];
}

/** The clone holds something else than it states. The message names the place. */
export class Difference extends Error {}

/** Why a clone has nothing that can be proved: one of a user who can't read everything, for example. */
export class CannotProve extends Error {}

interface Hashes {
  sha1: Sha1;
  /** Of bytes, in hex. */
  sha256(content: Uint8Array): string;
}

interface Item {
  version: number;
  sha256: string | null;
}

interface Commit {
  tree: string;
  parents: string[];
  committer: string;
  /** Since the epoch. */
  seconds: number;
  event: string | null;
  seq: number;
  items: Map<string, Item>;
  approvals: { name: string; at: string }[];
}

interface TreeEntry {
  mode: string;
  oid: string;
}

interface FileChange {
  path: string;
  before: TreeEntry | null;
  after: TreeEntry | null;
}

/** A version of an SOP as its file states it. */
interface StatedVersion {
  id: string;
  number: string;
  version: number;
  sha256: string;
}

const sopFile = /^(?:sops|templates|archive)\/[a-z0-9-]+\/([a-z0-9.-]+)\.md$/;
const assetFile = /^assets\/([0-9a-f]{2})\/([0-9a-f]{64})\.[a-z0-9]+$/;
const aboutSettings = new Set<string | null>(["found", "category"] satisfies Verb[]);
const folderMode = "40000";

/**
 * Checks the hash of every object that the branches reach, the order of the events, each commit's files, the text of
 * every version on both branches, and the tags.
 *
 * @param expected a commit that was noted before, or its first digits: it must be part of a branch
 * @throws Difference at the first difference
 * @throws CannotProve where the clone doesn't hold the whole history
 */
export async function proveClone(clone: ClonedRepository, hashes: Hashes, expected?: string): Promise<CloneProof> {
  const facts = new ClonedFacts(clone, hashes);
  const approvals: Approval[] = [];
  const lines: Record<Branch, string[]> = { history: [], main: [] };
  const published = new Map<string, StatedVersion[]>();
  // history first: it has every version that main publishes
  for (const branch of ["history", "main"] as const) {
    for (const head of new Set(clone.heads[branch])) {
      const line = await proveBranch(facts, branch, head, published);
      lines[branch] = longerOf(branch, lines[branch], line);
    }
  }
  if (lines.main.length === 0 && lines.history.length === 0)
    throw new CannotProve("there is no branch main or history");
  for (const oid of lines.main) {
    const { approvals: by } = await facts.commit(oid);
    for (const { number, version } of published.get(oid) ?? []) approvals.push({ number, version, by });
  }
  for (const { name, oid } of clone.tags) proveTag(name, published.get(oid) ?? []);
  if (expected !== undefined && ![...lines.main, ...lines.history].some((oid) => oid.startsWith(expected))) {
    throw new Difference(`${expected} is part of no branch: the history was rewritten, or it is of another company`);
  }
  const branches = (["history", "main"] as const)
    .filter((name) => lines[name].length > 0)
    .map((name) => ({ name, commits: lines[name].length, head: lines[name].at(-1) ?? "" }));
  return { branches, versions: facts.texts.size, approvals };
}

async function proveBranch(
  facts: ClonedFacts,
  branch: Branch,
  head: string,
  published: Map<string, StatedVersion[]>,
): Promise<string[]> {
  const line = await facts.line(head);
  const [root = head] = line;
  if ((await facts.commit(root)).event !== "found") {
    throw new CannotProve(`${branch} doesn't begin with the first event: a clone for a user who can't read everything`);
  }
  let last: Commit | null = null;
  for (const oid of line) {
    const commit = await facts.commit(oid);
    try {
      proveOrder(commit, last, branch);
      const versions = await proveFiles(facts, commit, last?.tree ?? null);
      if (branch === "main" && commit.event === "publish") published.set(oid, versions);
    } catch (error) {
      if (!(error instanceof Difference)) throw error;
      const about = [...commit.items].slice(0, 3).map(([id, { version }]) => `${id} v${version}`);
      const where = `${branch}, commit ${oid.slice(0, 12)}, event ${commit.seq}`;
      throw new Difference(`${where}${about.length > 0 ? ` (${about.join(", ")})` : ""}: ${error.message}`);
    }
    last = commit;
  }
  return line;
}

function longerOf(branch: Branch, one: string[], other: string[]): string[] {
  const [longer, shorter] = one.length > other.length ? [one, other] : [other, one];
  if (shorter.some((oid, index) => longer[index] !== oid)) {
    throw new Difference(`the local branch ${branch} and that of the server go different ways`);
  }
  return longer;
}

function proveOrder(commit: Commit, last: Commit | null, branch: Branch): void {
  const before = last?.seq ?? -1;
  if (commit.seq <= before || (branch === "history" && commit.seq !== before + 1)) {
    throw new Difference(`event ${commit.seq} follows event ${before}`);
  }
  if (commit.committer !== committer) throw new Difference(`${commit.committer} made the commit, not the server`);
  if (last !== null && commit.seconds < last.seconds) {
    throw new Difference("its date is before that of the commit before it");
  }
}

/** @returns the versions that the commit put on the branch */
async function proveFiles(facts: ClonedFacts, commit: Commit, before: string | null): Promise<StatedVersion[]> {
  const versions: StatedVersion[] = [];
  for await (const change of facts.changes(before, commit.tree)) {
    const { path, after } = change;
    if (after !== null && after.mode !== "100644") throw new Difference(`${path} isn't a plain file`);
    if (path === repoFilePath || path === categoriesFilePath) {
      if (!aboutSettings.has(commit.event)) throw new Difference(`${path} changes in an event about SOPs`);
      if (after !== null) await facts.blob(after.oid);
    } else if (assetFile.test(path)) await proveAsset(facts, change);
    else if (sopFile.test(path)) versions.push(...(await proveDocument(facts, change, commit.items)));
    else throw new Difference(`${path} has no place in the repository`);
  }
  return versions;
}

async function proveAsset(facts: ClonedFacts, { path, before, after }: FileChange): Promise<void> {
  const [, folder, sha256 = ""] = assetFile.exec(path) ?? [];
  const isImage =
    before === null &&
    after !== null &&
    facts.sha256(await facts.blob(after.oid)) === sha256 &&
    sha256.startsWith(`${folder}`);
  if (!isImage) throw new Difference(`${path} isn't the image of that hash`);
}

async function proveDocument(
  facts: ClonedFacts,
  { path, before, after }: FileChange,
  items: ReadonlyMap<string, Item>,
): Promise<StatedVersion[]> {
  const file = await facts.version((after ?? before)?.oid ?? "");
  const item = items.get(file.id);
  if (item === undefined) throw new Difference(`${path} changes, but the commit doesn't name it`);
  if (after === null) return [];
  if (!path.slice(path.lastIndexOf("/") + 1).startsWith(`${file.number.toLowerCase()}-`)) {
    throw new Difference(`${path} holds ${file.number}`);
  }
  const key = `${file.id} ${file.version}`;
  const stated = item.version === file.version ? item.sha256 : null;
  for (const known of [stated, facts.texts.get(key) ?? null]) {
    if (known !== null && known !== file.sha256) {
      throw new Difference(`${path}: version ${file.version} has SHA-256 ${file.sha256}, stated as ${known}`);
    }
  }
  facts.texts.set(key, file.sha256);
  return [file];
}

function proveTag(name: string, published: readonly StatedVersion[]): void {
  const marks = published.some(({ number, version }) => name === `${number.toLowerCase()}/v${version}`);
  if (!marks) throw new Difference(`tag ${name} doesn't mark the publication of that version`);
}

/** Reads objects, each hashed again. */
class ClonedFacts {
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

  blob(oid: string): Promise<Uint8Array> {
    return this.#read(oid, "blob");
  }

  async version(oid: string): Promise<StatedVersion> {
    const known = this.#versions.get(oid);
    if (known !== undefined) return known;
    const content = await this.blob(oid);
    const version = { ...frontMatter(oid, content), sha256: this.sha256(content) };
    this.#versions.set(oid, version);
    return version;
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
    const [old, now] = [await this.#tree(before), await this.#tree(after)];
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

  async #tree(oid: string | null): Promise<Map<string, TreeEntry>> {
    return oid === null ? new Map() : parseTree(oid, await this.#read(oid, "tree"));
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

function parseCommit(oid: string, content: Uint8Array): Commit {
  const text = decoded(oid, content);
  const end = text.indexOf("\n\n");
  const head = text.slice(0, end).split("\n");
  const field = (name: string) =>
    head.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1));
  const [tree = ""] = field("tree");
  const [, by = "", seconds = ""] = /^(.*) (\d+) [+-]\d{4}$/.exec(field("committer")[0] ?? "") ?? [];
  if (end === -1 || tree === "" || seconds === "") throw new Difference(`commit ${oid} has another format`);
  return { tree, parents: field("parent"), committer: by, seconds: Number(seconds), ...parseTrailers(text.trimEnd()) };
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

function parseTree(oid: string, content: Uint8Array): Map<string, TreeEntry> {
  const entries = new Map<string, TreeEntry>();
  for (let at = 0; at < content.length;) {
    const end = content.indexOf(0, at);
    if (end === -1 || end + 21 > content.length) throw new Difference(`tree ${oid} has another format`);
    const [mode = "", ...name] = decoded(oid, content.subarray(at, end)).split(" ");
    entries.set(name.join(" "), { mode, oid: hex(content.subarray(end + 1, end + 21)) });
    at = end + 21;
  }
  return entries;
}

function frontMatter(oid: string, content: Uint8Array): Omit<StatedVersion, "sha256"> {
  const facts = new Map<string, unknown>();
  const lines = decoded(oid, content).split("\n");
  const end = lines.indexOf("---", 1);
  for (const line of lines.slice(1, Math.max(end, 1))) {
    const [, key = "", value = ""] = /^(sop|id|version): (.*)$/.exec(line) ?? [];
    if (key !== "") facts.set(key, parsed(value));
  }
  const [id, number, version] = [facts.get("id"), facts.get("sop"), facts.get("version")];
  if (typeof id !== "string" || typeof number !== "string" || typeof version !== "number") {
    throw new Difference(`the front matter of ${oid} has no id, number or version`);
  }
  return { id, number, version };
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

function decoded(oid: string, content: Uint8Array): string {
  try {
    return utf8.decode(content);
  } catch {
    throw new Difference(`object ${oid} isn't UTF-8`);
  }
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
