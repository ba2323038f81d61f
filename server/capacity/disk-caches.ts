/**
 * Limits the size of the disk caches. On MongoDB, a server creates repositories and search indexes on demand. If they
 * take too much space together, those that were unused for the longest time are deleted.
 */
import { readdir, stat, utimes } from "node:fs/promises";
import path from "node:path";
import type { Logger } from "pino";
import type { Jobs } from "../jobs/overdue.ts";

/** A cache on disk with an entry for each company, which the server can create again. */
export interface DiskCache {
  /** The folder with a file or folder for each company, named by its id. */
  dir: string;
  /** The end of each name, after the company's id. */
  ending: string;
  /**
   * Returns when a request last used the company's entry, in milliseconds since 1970; null if unused since the server
   * started.
   */
  usedAt(companyId: string): number | null;
  /** Removes the company's entry, when no change to it is running. */
  drop(companyId: string): Promise<void>;
}

interface DiskCacheEntry {
  cache: DiskCache;
  companyId: string;
  bytes: number;
  usedAt: number;
}

const everyMs = 10 * 60_000;
/** Milliseconds after a use in which an entry isn't deleted, because a clone may still read it. */
const restMs = 3_600_000;

/** Starts the job that limits the size of the caches on this server's disk. */
export function startDiskCacheLimit(
  caches: readonly DiskCache[],
  { atMost, jobs, log }: { atMost: number; jobs: Jobs; log: Pick<Logger, "info"> },
): () => Promise<void> {
  return jobs.every({ name: "caches", everyMs, firstMs: everyMs }, async (stopped) => {
    const dropped = await limitCaches(caches, atMost, stopped);
    if (dropped.length > 0) log.info({ parts: dropped.length }, "repositories and search indexes not used lately went");
  });
}

/**
 * Deletes the entries unused for the longest time, until the caches have at most `atMost` bytes.
 * @returns the companies whose entries were deleted, in this order
 */
export async function limitCaches(
  caches: readonly DiskCache[],
  atMost: number,
  stopped: AbortSignal,
): Promise<string[]> {
  const parts: DiskCacheEntry[] = [];
  for (const cache of caches) parts.push(...(await listCacheEntries(cache)));
  let total = parts.reduce((sum, { bytes }) => sum + bytes, 0);
  const dropped: string[] = [];
  for (const { cache, companyId, bytes } of parts.toSorted((one, other) => one.usedAt - other.usedAt)) {
    if (total <= atMost || stopped.aborted) break;
    if (Date.now() - (cache.usedAt(companyId) ?? 0) < restMs) continue;
    await cache.drop(companyId);
    total -= bytes;
    dropped.push(companyId);
  }
  return dropped;
}

/**
 * Lists the entries of a cache, and stores their last use as the time of the file or folder. After a restart of the
 * server, that time counts as the last use.
 */
async function listCacheEntries(cache: DiskCache): Promise<DiskCacheEntry[]> {
  const { dir, ending } = cache;
  const names = await readdir(dir).catch(() => []);
  const parts: DiskCacheEntry[] = [];
  for (const name of names.filter((one) => one.endsWith(ending))) {
    const companyId = name.slice(0, -ending.length);
    const at = path.join(dir, name);
    const usedAt = cache.usedAt(companyId);
    try {
      if (usedAt !== null) await utimes(at, usedAt / 1000, usedAt / 1000);
      const bytes = (await sizeOnDisk(at)) + (await bytesBeside(dir, name, names));
      parts.push({ cache, companyId, bytes, usedAt: usedAt ?? (await stat(at)).mtimeMs });
    } catch {
      // the entry has just been deleted
    }
  }
  return parts;
}

/** Returns the size in bytes of the files that SQLite creates next to its database. */
async function bytesBeside(dir: string, name: string, names: readonly string[]): Promise<number> {
  const beside = [`${name}-wal`, `${name}-shm`].filter((one) => names.includes(one));
  const sizes = await Promise.all(beside.map((one) => sizeOnDisk(path.join(dir, one)).catch(() => 0)));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Returns the size in bytes of a file, or of all files in a folder. A file that is being deleted counts as empty. */
async function sizeOnDisk(at: string): Promise<number> {
  const found = await stat(at);
  if (!found.isDirectory()) return found.size;
  let sum = 0;
  for (const name of await readdir(at)) sum += await sizeOnDisk(path.join(at, name)).catch(() => 0);
  return sum;
}
