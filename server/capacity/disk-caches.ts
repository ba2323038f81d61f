/**
 * Bounds the disk caches. On MongoDB, a server creates its repositories and search indexes on demand. If they take too
 * much space together, those that were unused for the longest time are deleted.
 */
import { readdir, stat, utimes } from "node:fs/promises";
import path from "node:path";
import type { Logger } from "pino";
import type { Jobs } from "../jobs/overdue.ts";

/** Files that a server keeps on disk for each company and can make again. */
export interface DiskCache {
  /** The folder with a file or folder for each company, named by its id. */
  dir: string;
  /** The end of each name, after the company's id. */
  ending: string;
  /**
   * The time of a request's last use of a company's part, in milliseconds since 1970; null if unused since the start.
   */
  usedAt(companyId: string): number | null;
  /** Removes a company's part, between two changes to it. */
  drop(companyId: string): Promise<void>;
}

interface DiskCacheEntry {
  cache: DiskCache;
  companyId: string;
  bytes: number;
  usedAt: number;
}

const everyMs = 10 * 60_000;
/** Milliseconds after a use in which a part stays, because a clone may still read it. */
const restMs = 3_600_000;

/** Starts the job that bounds the caches on this server's disk. */
export function startDiskCaches(
  caches: readonly DiskCache[],
  { atMost, jobs, log }: { atMost: number; jobs: Jobs; log: Pick<Logger, "info"> },
): () => Promise<void> {
  return jobs.every({ name: "caches", everyMs, firstMs: everyMs }, async (stopped) => {
    const dropped = await boundCaches(caches, atMost, stopped);
    if (dropped.length > 0) log.info({ parts: dropped.length }, "repositories and search indexes not used lately went");
  });
}

/** @returns the companies whose parts were deleted, in this order */
export async function boundCaches(
  caches: readonly DiskCache[],
  atMost: number,
  stopped: AbortSignal,
): Promise<string[]> {
  const parts: DiskCacheEntry[] = [];
  for (const cache of caches) parts.push(...(await cacheEntriesOnDisk(cache)));
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

/** The parts of a cache. After a restart, the time of the file or folder shows its last use or change. */
async function cacheEntriesOnDisk(cache: DiskCache): Promise<DiskCacheEntry[]> {
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
      // the part was deleted at this moment
    }
  }
  return parts;
}

/** The size of SQLite's files beside its database. */
async function bytesBeside(dir: string, name: string, names: readonly string[]): Promise<number> {
  const beside = [`${name}-wal`, `${name}-shm`].filter((one) => names.includes(one));
  const sizes = await Promise.all(beside.map((one) => sizeOnDisk(path.join(dir, one)).catch(() => 0)));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** The size of a file, or of all files in a folder. Files that are deleted at this moment count as empty. */
async function sizeOnDisk(at: string): Promise<number> {
  const found = await stat(at);
  if (!found.isDirectory()) return found.size;
  let sum = 0;
  for (const name of await readdir(at)) sum += await sizeOnDisk(path.join(at, name)).catch(() => 0);
  return sum;
}
