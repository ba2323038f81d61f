/**
 * Adds audit rows to the chain within a second, and signs checkpoints: after 256 rows, or five minutes after the first
 * unsigned row. Runs on the server with the lease. If two servers run it, the database accepts each position in the
 * chain once.
 */
import { tryUnlessDamaged } from "../database/beside-damage.ts";
import type { AuditDocument } from "../database/documents.ts";
import type { Sort } from "../database/port.ts";
import type { Leases } from "../jobs/leases.ts";
import { reportProgress, type Jobs } from "../jobs/overdue.ts";
import { chainPendingRows, chainGenesisOf, loadChainHead } from "./chain.ts";
import { loadLastReadableCheckpoint, makeCheckpoint, type CheckpointOptions } from "./checkpoints.ts";

export interface Sequencer {
  /** Chains the waiting rows and signs the due checkpoints. */
  run(): Promise<void>;
  close(): Promise<void>;
}

export interface SequencerOptions extends CheckpointOptions {
  leases: Leases;
  jobs: Jobs;
  everyMs?: number;
}

const rowsPerCheckpoint = 256;
/** The maximum number of rows in one transaction. Requests wait while this thread hashes them. */
const rowsAtOnce = 64;
const checkpointAfterMs = 5 * 60_000;
const leaseMs = 8_000;

export function startSequencer(options: SequencerOptions): Sequencer {
  const { db, clock, leases, jobs, everyMs = 500 } = options;
  const job = jobs.watch("chaining of audit logs", everyMs);
  const logs = db.collection("audit_logs");
  /** Companies with rows that no checkpoint covers → the time of the first such row. */
  const uncovered = new Map<string, number>();
  let fence: number | null = null;
  let nextTry = 0;
  let closed = false;
  let running: Promise<void> | null = null;

  async function chainAndSignOnce(): Promise<void> {
    const damaged: string[] = [];
    const waiting = await findNextCompanyToChain(damaged);
    if (waiting === null && !(fence === null ? shouldAskForLease() : isAnyDue())) return;
    const held = await leases.acquire("audit", leaseMs);
    if (held === null) {
      fence = null;
      return;
    }
    // this server has just got the lease: the server before may have left rows without a checkpoint
    if (held !== fence) await noteCompaniesWithoutCheckpoint();
    fence = held;
    for (let company = waiting; company !== null && !closed; company = await findNextCompanyToChain(damaged)) {
      const companyId = company;
      if ((await leases.acquire("audit", leaseMs)) !== held) return;
      if (!(await tryUnlessDamaged(() => chainRows(companyId)))) damaged.push(companyId);
      reportProgress();
    }
    for (const [company, since] of uncovered) {
      if (!isDue(since)) continue;
      if (closed || (await leases.acquire("audit", leaseMs)) !== held) return;
      await signCheckpoint(company);
      reportProgress();
    }
  }

  /** Signs a checkpoint. Does nothing while the last checkpoint is damaged. */
  async function signCheckpoint(companyId: string): Promise<void> {
    await tryUnlessDamaged(() => makeCheckpoint(options, companyId));
    uncovered.delete(companyId);
  }

  /** Finds a company with rows to chain. @param damaged companies that can't be chained in this pass */
  async function findNextCompanyToChain(damaged: readonly string[]): Promise<string | null> {
    const waiting = {
      pending: true as const,
      ...(damaged.length > 0 && { companyId: { $nin: [...damaged] } }),
    };
    const order: Sort<AuditDocument> = { companyId: 1, _id: 1 };
    const [row] = await logs.find(waiting, { sort: order, limit: 1, projection: { companyId: 1 } });
    return row?.companyId ?? null;
  }

  /** Says whether to ask for the lease. A server without rows to chain asks seldom, because each try is a write. */
  function shouldAskForLease(): boolean {
    if (performance.now() < nextTry) return false;
    nextTry = performance.now() + leaseMs;
    return true;
  }

  /**
   * Says whether rows have been without a checkpoint for too long. Compares the time in both directions, because the
   * clock may have been set back.
   */
  const isDue = (since: number) => Math.abs(clock.millis() - since) >= checkpointAfterMs;
  const isAnyDue = () => [...uncovered.values()].some(isDue);

  /** Chains a batch of rows. The batch ends where the next checkpoint is due. */
  async function chainRows(companyId: string): Promise<void> {
    const store = db.forCompany(companyId);
    const [covered, head] = [
      await loadLastReadableCheckpoint(store),
      await loadChainHead(store, chainGenesisOf(companyId, null)),
    ];
    const from = covered?.seq ?? 0;
    const room = Math.min(rowsAtOnce, Math.max(1, rowsPerCheckpoint - (head.seq - from)));
    const { seq } = await chainPendingRows(db, companyId, room);
    if (!uncovered.has(companyId)) uncovered.set(companyId, clock.millis());
    if (seq - from >= rowsPerCheckpoint) await signCheckpoint(companyId);
  }

  async function noteCompaniesWithoutCheckpoint(): Promise<void> {
    for (const { _id } of await db.collection("companies").find({}, { projection: { _id: 1 } })) {
      await tryUnlessDamaged(async () => {
        const store = db.forCompany(_id);
        const [covered, head] = [
          await loadLastReadableCheckpoint(store),
          await loadChainHead(store, chainGenesisOf(_id, null)),
        ];
        if (head.seq > (covered?.seq ?? 0) && !uncovered.has(_id)) uncovered.set(_id, clock.millis());
      });
      reportProgress();
    }
  }

  function chainAndSign(): Promise<void> {
    running ??= chainAndSignOnce().finally(() => {
      running = null;
    });
    return running;
  }

  const timer = setInterval(() => void job.pass(chainAndSign), everyMs);
  timer.unref();

  return {
    run: chainAndSign,
    async close() {
      clearInterval(timer);
      closed = true;
      await running?.catch(() => undefined);
      await leases.release("audit");
    },
  };
}
