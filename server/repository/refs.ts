/**
 * Reads and writes refs of a bare repository, by git's own locking rules: `<ref>.lock` is created exclusively, then
 * renamed.
 */
import { setTimeout as wait } from "node:timers/promises";
import type { TagObject } from "#core/repository/project.ts";
import { errorCodeOf, createFolderOnDisk, readIfThere, unlinkIfThere, type Disk } from "./disk.ts";

export interface LockOptions {
  /** The age in milliseconds at which a lock counts as left by a crash. Git needs a lock only for milliseconds. */
  staleAfter: number;
}

const defaultLock: LockOptions = { staleAfter: 10_000 };
const packedHeader = "# pack-refs with: peeled fully-peeled sorted \n";

interface PackedRef {
  oid: string;
  /** The target of an annotated tag. */
  peeled: string | null;
}

/** Reads the commit that a full ref name (`refs/heads/main`) points at; null if there is none. */
export async function readRef(disk: Disk, gitdir: string, name: string): Promise<string | null> {
  const loose = (await readIfThere(disk, `${gitdir}/${name}`))?.toString("latin1").trim();
  if (loose !== undefined && /^[0-9a-f]{40}$/.test(loose)) return loose;
  return (await readAllPackedRefs(disk, gitdir)).get(name)?.oid ?? null;
}

/** Says whether the tag is one that operators make. Events don't make such tags. */
export const isTagOfOperators = (name: string): boolean => name.startsWith("refs/tags/release/");

/** Reads all packed refs under a prefix. */
export async function readPackedRefs(disk: Disk, gitdir: string, prefix: string): Promise<Map<string, string>> {
  const refs = new Map<string, string>();
  for (const [name, ref] of await readAllPackedRefs(disk, gitdir)) if (name.startsWith(prefix)) refs.set(name, ref.oid);
  return refs;
}

/**
 * Moves a ref to `next` if the ref still points at `expected` (null: the ref doesn't exist).
 * @returns the ref's target afterwards: `next`, or the target that another writer set; null if another writer removed
 * the ref
 */
export async function moveRefIfUnchanged(
  disk: Disk,
  gitdir: string,
  name: string,
  expected: string | null,
  next: string,
  options: LockOptions = defaultLock,
): Promise<string | null> {
  const path = `${gitdir}/${name}`;
  return withRefLock(disk, path, options, async (lock) => {
    const actual = await readRef(disk, gitdir, name);
    if (actual !== expected || actual === next) return { value: actual, commit: false };
    await disk.writeFile(lock, `${next}\n`);
    return { value: next, commit: true };
  });
}

/** Adds tags to `packed-refs` in one atomic write. An existing tag doesn't move. */
export async function addTags(
  disk: Disk,
  gitdir: string,
  tags: readonly TagObject[],
  options: LockOptions = defaultLock,
): Promise<void> {
  if (tags.length === 0) return;
  await withRefLock(disk, `${gitdir}/packed-refs`, options, async (lock) => {
    const refs = await readAllPackedRefs(disk, gitdir);
    const before = refs.size;
    for (const tag of tags) {
      const name = `refs/tags/${tag.name}`;
      if (!refs.has(name)) refs.set(name, { oid: tag.oid, peeled: null });
    }
    if (refs.size === before) return { value: null, commit: false };
    await disk.writeFile(lock, formatPackedRefs(refs));
    return { value: null, commit: true };
  });
}

/** Writes all refs of a new repository. */
export async function writePackedRefs(disk: Disk, gitdir: string, refs: ReadonlyMap<string, string>): Promise<void> {
  const packed = new Map([...refs].map(([name, oid]) => [name, { oid, peeled: null }]));
  await disk.writeFile(`${gitdir}/packed-refs`, formatPackedRefs(packed), "wx");
}

async function readAllPackedRefs(disk: Disk, gitdir: string): Promise<Map<string, PackedRef>> {
  const text = (await readIfThere(disk, `${gitdir}/packed-refs`))?.toString("utf8") ?? "";
  const refs = new Map<string, PackedRef>();
  let last: PackedRef | undefined;
  for (const line of text.split("\n")) {
    if (line.startsWith("^") && last !== undefined) last.peeled = line.slice(1, 41);
    else if (/^[0-9a-f]{40} ./.test(line)) {
      last = { oid: line.slice(0, 40), peeled: null };
      refs.set(line.slice(41), last);
    }
  }
  return refs;
}

function formatPackedRefs(refs: ReadonlyMap<string, PackedRef>): string {
  const lines = [...refs]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, ref]) => `${ref.oid} ${name}\n${ref.peeled === null ? "" : `^${ref.peeled}\n`}`);
  return packedHeader + lines.join("");
}

async function withRefLock<T>(
  disk: Disk,
  path: string,
  options: LockOptions,
  work: (lock: string) => Promise<{ value: T; commit: boolean }>,
): Promise<T> {
  const lock = `${path}.lock`;
  await takeRefLock(disk, lock, options);
  try {
    const { value, commit } = await work(lock);
    await (commit ? disk.rename(lock, path) : disk.unlink(lock));
    return value;
  } catch (error) {
    await unlinkIfThere(disk, lock).catch(() => undefined);
    throw error;
  }
}

async function takeRefLock(disk: Disk, lock: string, options: LockOptions): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      await disk.writeFile(lock, "", "wx");
      return;
    } catch (error) {
      if (errorCodeOf(error) === "ENOENT") {
        await createFolderOnDisk(disk, lock.slice(0, lock.lastIndexOf("/")));
        continue;
      }
      if (errorCodeOf(error) !== "EEXIST") throw error;
    }
    if (attempt > 1000) throw new Error(`${lock} stays taken`);
    const age = await lockAge(disk, lock);
    if (age !== null && age >= options.staleAfter) await unlinkIfThere(disk, lock);
    else await wait(Math.min(5 * (attempt + 1), 100));
  }
}

async function lockAge(disk: Disk, lock: string): Promise<number | null> {
  try {
    return Date.now() - Number((await disk.stat(lock)).mtimeMs);
  } catch (error) {
    if (errorCodeOf(error) === "ENOENT") return null;
    throw error;
  }
}
