/**
 * Reads a clone, a bare repository or a bundle with the machine's git. Git only unpacks objects, whose hashes the
 * caller checks.
 */
import { open, stat } from "node:fs/promises";
import { approvalsRef } from "#core/repository/approval-notes.ts";
import type { ClonedRepository } from "#core/repository/cloned-facts.ts";
import { CannotProve, Difference } from "#core/repository/difference.ts";
import { assertWorktreeMatches } from "./checked-out.ts";
import { withClosedRepository, type ClosedRepository } from "./closed-git.ts";
import { createObjectReader } from "./read-objects.ts";

/** Says whether the path is a folder or a git bundle. Other files are PDFs or audit logs. */
export async function isFolderOrBundle(path: string): Promise<boolean> {
  if ((await stat(path)).isDirectory()) return true;
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(16), 0, 16, 0);
    return /^# v[23] git bundle/.test(buffer.toString("latin1", 0, bytesRead));
  } finally {
    await file.close();
  }
}

/**
 * Opens the repository at the path, calls `use` with it, and closes it.
 * @throws Difference if git finds damage, or if files differ from their commit
 */
export async function withClone<T>(path: string, use: (clone: ClonedRepository) => Promise<T>): Promise<T> {
  return await withClosedRepository(path, (repository) => readClone(repository, use));
}

async function readClone<T>(repository: ClosedRepository, use: (clone: ClonedRepository) => Promise<T>): Promise<T> {
  const { run, worktree } = repository;
  const refs = await run("for-each-ref", "--format=%(objectname) %(refname)");
  if (refs.code !== 0) throw new CannotProve("git can't read its refs");
  const local = new Set(worktree === null ? ["notes", "stash"] : ["heads", "notes", "stash"]);
  const objects = createObjectReader(repository);
  try {
    const { heads, tags } = sortRefs(refs.stdout, local);
    const listed = (await run("rev-list", ...Object.values(heads).flat(), "--")).stdout.split("\n").slice(0, -1);
    const result = await use({ heads, tags, listed, read: objects.read });
    const damage = await run("fsck", "--full", "--strict", "--no-dangling", "--no-progress");
    if (damage.code !== 0) throw new Difference(firstLine(damage.stderr || damage.stdout));
    if (worktree !== null) await assertWorktreeMatches(worktree, await checkedOutTreeId(repository), objects.read);
    return result;
  } finally {
    objects.close();
  }
}

/** Returns the id of the checked-out tree; null before the first commit. */
async function checkedOutTreeId({ run }: ClosedRepository): Promise<string | null> {
  const { code, stdout } = await run("rev-parse", "--verify", "--quiet", "HEAD^{tree}");
  return code === 0 ? stdout.trim() : null;
}

/**
 * Refs that a clone can have and a proof doesn't check: baselines, daily checks of a mirror, the default branch, pushed
 * drafts, and fetched proposals.
 */
const unprovenRefs =
  /^refs\/(?:tags\/(?:release|witness)\/|proposals\/|remotes\/origin\/(?:HEAD$|drafts\/|proposals\/))/;

/** @param local kinds of refs that a user may have added */
function sortRefs(listing: string, local: ReadonlySet<string>): Pick<ClonedRepository, "heads" | "tags"> {
  const heads = { main: [] as string[], history: [] as string[], notes: [] as string[] };
  const tags: { name: string; oid: string }[] = [];
  for (const line of listing.split("\n").filter((one) => one !== "")) {
    const [, oid = "", ref = "", kind, rest = ""] = /^(\S+) (refs\/([^/]+)\/?(.*))$/.exec(line) ?? [];
    const branch = kind === "remotes" ? rest.replace(/^origin\//, "") : rest;
    if (kind === "tags" && /\/v\d+$/.test(rest)) tags.push({ name: rest, oid });
    else if (ref === approvalsRef) heads.notes.push(oid);
    else if ((kind === "heads" || kind === "remotes") && (branch === "main" || branch === "history"))
      heads[branch].push(oid);
    else if (!local.has(kind ?? "") && !unprovenRefs.test(ref)) {
      throw new Difference(`${ref} is no branch or tag of the server`);
    }
  }
  return { heads, tags };
}

function firstLine(text: string): string {
  return text.trim().split("\n")[0] ?? "";
}
