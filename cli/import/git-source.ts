/** Reads the committed files of a repository, with the author and date of each file's last change. */
import fs from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import * as git from "isomorphic-git";
import { parseWebAddress } from "#core/addresses/web-address.ts";
import { documentKindOf, type SourceFile } from "#core/import/files.ts";
import { isMadeByServer } from "#core/repository/index-files.ts";
import { repoFilePath } from "#core/repository/repo-files.ts";
import { CliError, exit, interruptedError, invalidInputError } from "../exit.ts";

export interface OpenedGitSource {
  files: SourceFile[];
  /** The repository's symbolic links and submodules. */
  links: string[];
  close(): Promise<void>;
}

interface GitSourceContext {
  cwd: string;
  signal: AbortSignal;
  /** Further file endings that count as Markdown. */
  ext: readonly string[];
  progress(text: string | null): void;
}

const cache = {};

export function isRepositoryAddress(source: string): boolean {
  return /^(?:https?|file):\/\//i.test(source);
}

/** @throws exit 2 if the source isn't a repository, exit 5 if it can't be fetched */
export async function openGitSource(source: string, around: GitSourceContext): Promise<OpenedGitSource> {
  const { gitdir, close } = await findOrCloneRepository(source, around);
  try {
    const head = await git.resolveRef({ fs, gitdir, ref: "HEAD" });
    const { files, links } = await listCommittedFiles(gitdir, head);
    const facts = await findLastChanges(
      gitdir,
      head,
      new Set(files.filter(({ path }) => documentKindOf(path, around.ext) !== undefined).map(({ path }) => path)),
      around,
    );
    return { files: files.map((file) => ({ ...file, ...facts.get(file.path) })), links, close };
  } catch (error) {
    await close();
    if (around.signal.aborted) throw interruptedError();
    if (error instanceof CliError) throw error;
    throw invalidInputError(
      "not_a_repository",
      `${source}: not a git repository with a commit (${firstMessageLine(error)})`,
    );
  }
}

async function findOrCloneRepository(
  source: string,
  around: GitSourceContext,
): Promise<{ gitdir: string; close(): Promise<void> }> {
  const doNothing = async () => {};
  if (/^https?:/i.test(source)) return await cloneRepository(source, around);
  const path = /^file:/i.test(source) ? fileURLToPath(source) : resolve(around.cwd, source);
  const inside = join(path, ".git");
  if (fs.existsSync(join(path, "HEAD")) && fs.existsSync(join(path, "objects")))
    return { gitdir: path, close: doNothing };
  if (!fs.existsSync(inside)) throw invalidInputError("not_a_repository", `${source}: not a git repository`);
  if (fs.statSync(inside).isFile()) {
    throw invalidInputError("not_a_repository", `${source}: it is a linked work tree`, {
      hint: "name the repository itself",
    });
  }
  return { gitdir: inside, close: doNothing };
}

async function cloneRepository(
  address: string,
  { signal, progress }: GitSourceContext,
): Promise<{ gitdir: string; close(): Promise<void> }> {
  const parsed = parseWebAddress(address);
  if (parsed === null) {
    const { username = "", password = "" } = URL.parse(address) ?? {};
    if (username === "" && password === "")
      throw invalidInputError("address", `${address} isn't the address of a repository`);
    throw invalidInputError("address", "an address can't contain a name or password", {
      hint: "clone it yourself, then import the folder",
    });
  }
  const { default: http } = await import("isomorphic-git/http/node");
  const gitdir = await mkdtemp(join(tmpdir(), "sop-clone-"));
  const close = () => rm(gitdir, { recursive: true, force: true });
  try {
    await git.clone({
      fs,
      http: { request: (request) => (signal.aborted ? Promise.reject(interruptedError()) : http.request(request)) },
      gitdir,
      dir: gitdir,
      url: parsed.href,
      noCheckout: true,
      singleBranch: true,
      noTags: true,
      onProgress: ({ phase, loaded, total }) => progress(`${phase} ${loaded}${total ? ` of ${total}` : ""}`),
    });
    return { gitdir, close };
  } catch (error) {
    await close();
    if (signal.aborted) throw interruptedError();
    throw new CliError(exit.network, {
      code: "unreachable",
      message: `${address}: couldn't fetch the repository (${firstMessageLine(error)})`,
      hint: "check the address; if the repository is private, clone it yourself, then import the folder",
    });
  }
}

/**
 * Lists the files of a commit. In a clone of a company's repository, leaves out files that the server writes and that
 * are no SOPs.
 */
async function listCommittedFiles(gitdir: string, oid: string): Promise<{ files: SourceFile[]; links: string[] }> {
  const files: SourceFile[] = [];
  const links: string[] = [];
  const walkTree = async (tree: string, folder: string): Promise<void> => {
    for (const { path: name, type, mode, oid: entry } of (await git.readTree({ fs, gitdir, oid: tree, cache })).tree) {
      const path = folder === "" ? name : `${folder}/${name}`;
      if (type === "tree") await walkTree(entry, path);
      else if (mode === "120000" || type === "commit") links.push(path);
      else files.push({ path, read: async () => (await git.readBlob({ fs, gitdir, oid: entry, cache })).blob });
    }
  };
  await walkTree(oid, "");
  const isOfServer = files.some(({ path }) => path === repoFilePath);
  return { files: isOfServer ? files.filter(({ path }) => !isMadeByServer(path)) : files, links };
}

interface LastChange {
  author: string;
  changed: string;
}

/**
 * Finds the last change of each wanted file. Walks from the newest commit along first parents until every change is
 * found.
 */
async function findLastChanges(
  gitdir: string,
  head: string,
  wanted: Set<string>,
  { signal, progress }: GitSourceContext,
): Promise<Map<string, LastChange>> {
  const found = new Map<string, LastChange>();
  let commits = 0;
  for (let oid: string | undefined = head; oid !== undefined && found.size < wanted.size; commits += 1) {
    if (signal.aborted) throw interruptedError();
    if (commits % 100 === 0) progress(`reading the history: ${commits} commits`);
    const { commit }: { commit: { tree: string; parent: string[]; author: { name: string; timestamp: number } } } =
      await git.readCommit({ fs, gitdir, oid, cache });
    const [parent] = commit.parent;
    const before = parent === undefined ? undefined : await readTreeIdOfCommit(gitdir, parent);
    const fact = {
      author: commit.author.name,
      changed: new Date(commit.author.timestamp * 1000).toISOString().slice(0, 10),
    };
    await compareTrees(gitdir, commit.tree, before, "", (path) => {
      if (wanted.has(path) && !found.has(path)) found.set(path, fact);
    });
    // In a shallow clone the parent of the oldest commit is missing, so the walk ends there.
    oid = before === undefined ? undefined : parent;
  }
  return found;
}

async function readTreeIdOfCommit(gitdir: string, oid: string): Promise<string | undefined> {
  try {
    return (await git.readCommit({ fs, gitdir, oid, cache })).commit.tree;
  } catch {
    return undefined;
  }
}

/** Calls back for each file that differs between two trees. Equal trees are skipped. */
async function compareTrees(
  gitdir: string,
  tree: string,
  before: string | undefined,
  folder: string,
  onChanged: (path: string) => void,
): Promise<void> {
  const old = new Map(
    before === undefined
      ? []
      : (await git.readTree({ fs, gitdir, oid: before, cache })).tree.map((entry) => [entry.path, entry]),
  );
  for (const { path: name, type, oid } of (await git.readTree({ fs, gitdir, oid: tree, cache })).tree) {
    const was = old.get(name);
    if (was?.oid === oid) continue;
    const path = folder === "" ? name : `${folder}/${name}`;
    if (type === "tree") await compareTrees(gitdir, oid, was?.type === "tree" ? was.oid : undefined, path, onChanged);
    else onChanged(path);
  }
}

function firstMessageLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split("\n")[0] ?? "";
}
