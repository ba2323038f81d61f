/** A clone, a bare repository or a bundle, read by the machine's git. Git only unpacks: what reads it computes the hashes. */
import { mkdtemp, open, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { approvalsRef } from "#core/repository/approval-notes.ts";
import type { ClonedRepository } from "#core/repository/cloned-facts.ts";
import { CannotProve, Difference } from "#core/repository/difference.ts";
import { git } from "./git.ts";
import { readObjects } from "./read-objects.ts";

/** Neither the clone's settings nor the user's run a program. */
const safe = ["safe.directory=*", "core.fsmonitor=false", "core.hooksPath=/dev/null"].flatMap((one) => ["-c", one]);

/** Is this a folder or a bundle, not the file of an audit log? */
export async function isClone(path: string): Promise<boolean> {
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
 * Opens what is at the path, calls `use` with it, and closes it.
 *
 * @throws Difference where git itself finds damage, or where files differ from their commit
 */
export async function withClone<T>(path: string, use: (clone: ClonedRepository) => Promise<T>): Promise<T> {
  if ((await stat(path)).isDirectory()) return readClone(path, use);
  const folder = await mkdtemp(join(tmpdir(), "sop-verify-"));
  try {
    const copied = await git(folder, [...safe, "clone", "--quiet", "--mirror", path, "bundle.git"]);
    if (copied.code !== 0) throw new Difference(firstLine(copied.stderr));
    return await readClone(join(folder, "bundle.git"), use);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function readClone<T>(folder: string, use: (clone: ClonedRepository) => Promise<T>): Promise<T> {
  const run = (...args: string[]) => git(folder, [...safe, ...args]);
  const refs = await run("for-each-ref", "--format=%(objectname) %(refname)");
  if (refs.code !== 0) throw new CannotProve(firstLine(refs.stderr));
  if ((await run("rev-parse", "--is-shallow-repository")).stdout.trim() === "true") {
    throw new CannotProve("the clone is shallow: run `git fetch --unshallow`");
  }
  const isBare = (await run("rev-parse", "--is-bare-repository")).stdout.trim() === "true";
  const local = new Set(isBare ? ["notes", "stash"] : ["heads", "notes", "stash"]);
  const objects = readObjects(folder, safe);
  try {
    const { heads, tags } = sortRefs(refs.stdout, local);
    const listed = (await run("rev-list", ...Object.values(heads).flat(), "--")).stdout.split("\n").slice(0, -1);
    const result = await use({ heads, tags, listed, read: objects.read });
    const damage = await run("fsck", "--full", "--strict", "--no-dangling", "--no-progress");
    if (damage.code !== 0) throw new Difference(firstLine(damage.stderr || damage.stdout));
    if (!isBare) {
      const { code, stdout, stderr } = await run("status", "--porcelain", "--untracked-files=no");
      if (code !== 0 || stdout !== "")
        throw new Difference(`files differ from their commit: ${firstLine(stdout || stderr)}`);
    }
    return result;
  } finally {
    objects.close();
  }
}

/** Baselines; heads of daily checks at a mirror; the default branch; drafts that were pushed from here, and proposals that were fetched. */
const others = /^refs\/(?:tags\/(?:release|witness)\/|proposals\/|remotes\/origin\/(?:HEAD$|drafts\/|proposals\/))/;

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
    else if (!local.has(kind ?? "") && !others.test(ref)) {
      throw new Difference(`${ref} is no branch or tag of the server`);
    }
  }
  return { heads, tags };
}

function firstLine(text: string): string {
  return text.trim().split("\n")[0] ?? "";
}
