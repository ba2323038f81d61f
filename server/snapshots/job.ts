/** Offers copies of this server's repositories and search indexes to the other servers on the same database. */
import { mkdir, rm } from "node:fs/promises";
import path from "node:path";
import type { Logger } from "pino";
import type { DiskCache } from "../capacity/disk-caches.ts";
import { reportProgress, type Jobs } from "../jobs/overdue.ts";
import type { Snapshots, SnapshotKey } from "./store.ts";

/** A cache that other servers can copy to start with. */
export interface CopiedCache extends DiskCache, Pick<SnapshotKey, "kind" | "format"> {
  /** Lists the companies whose repository or index is open on this server, each with the last event in it. */
  open(): readonly (readonly [companyId: string, seq: number])[];
  /** Writes a complete copy to a new file. @returns the last event in the copy; -1 if there is nothing to copy */
  copyTo(companyId: string, file: string): Promise<number>;
}

interface OfferSnapshotsOptions {
  snapshots: Snapshots;
  /** The folder for unfinished copies. */
  dir: string;
  log: Pick<Logger, "warn">;
  /**
   * The number of events from which a company gets copies. With fewer events, a server builds its own cache in seconds.
   */
  from?: number;
  /** The number of events between two copies. A search index that is further behind is rebuilt. */
  every?: number;
}

const everyMs = 10 * 60_000;

export function startOfferingSnapshots(
  caches: readonly CopiedCache[],
  { jobs, ...offered }: OfferSnapshotsOptions & { jobs: Jobs },
): () => Promise<void> {
  return jobs.every({ name: "snapshots", everyMs, firstMs: everyMs }, (stopped) =>
    offerSnapshots(caches, offered, stopped),
  );
}

export async function offerSnapshots(
  caches: readonly CopiedCache[],
  { snapshots, dir, log, from = 1_000, every = 250 }: OfferSnapshotsOptions,
  stopped: AbortSignal,
): Promise<void> {
  // a stopped server may have left unfinished copies
  await rm(dir, { recursive: true, force: true });
  await snapshots.tidy();
  for (const cache of caches) {
    for (const [companyId, seq] of cache.open()) {
      if (stopped.aborted) return;
      reportProgress();
      if (seq + 1 < from) continue;
      const of = { companyId, kind: cache.kind, format: cache.format };
      if (!(await snapshots.wants({ ...of, seq }, every))) continue;
      const file = path.join(dir, companyId + cache.ending);
      try {
        await mkdir(dir, { recursive: true });
        const copied = await cache.copyTo(companyId, file);
        if (copied >= 0) await snapshots.put({ ...of, seq: copied }, file);
      } catch (error) {
        // if a cache can't be copied, the other caches are still copied
        if (!stopped.aborted) log.warn({ companyId, kind: cache.kind, err: error }, "no copy for other servers");
      } finally {
        await rm(dir, { recursive: true, force: true });
      }
    }
  }
}
