/**
 * Runs jobs whose work is due at a certain time. One server at a time runs them: at its start and three times a minute.
 */
import type { Logger } from "pino";
import type { Collections } from "../database/documents.ts";
import { tryUnlessDamaged } from "../database/beside-damage.ts";
import { DuplicateKeyError, type Database, type Transaction } from "../database/port.ts";
import { transactionFor } from "../database/turns.ts";
import type { Services } from "../http/services.ts";
import type { Leases } from "./leases.ts";
import { reportProgress, type Jobs } from "./overdue.ts";

export interface DeadlineJob {
  /** The name in the log. */
  name: string;
  /** The interval in milliseconds, if a check is expensive. */
  everyMs?: number;
  /**
   * Does all work that is due by `now` (ISO time), each piece once. Another server can run it too, and the previous run
   * can have been killed halfway. So only the database shows which work is done.
   */
  run(services: Services, now: string): Promise<void>;
}

export interface Deadlines {
  /** Runs the due jobs after the current pass, and waits for them. */
  run(): Promise<void>;
  close(): Promise<void>;
}

const tickMs = 20_000;
const lease = "deadlines";

export function startDeadlines(
  services: Services,
  leases: Leases,
  jobs: Jobs,
  deadlines: readonly DeadlineJob[],
): Deadlines {
  const { clock } = services;
  const all = jobs.watch(lease, tickMs);
  const watched = deadlines.map((deadline) => ({
    ...deadline,
    job: jobs.watch(deadline.name, Math.max(tickMs, deadline.everyMs ?? 0)),
    lookedAt: Number.NEGATIVE_INFINITY,
  }));
  let last: Promise<unknown> = Promise.resolve();
  let closed = false;

  async function runDeadlineIfDue(deadline: (typeof watched)[number]): Promise<void> {
    const now = clock.millis();
    if (deadline.everyMs !== undefined && Math.abs(now - deadline.lookedAt) < deadline.everyMs) return;
    await deadline.job.pass(async () => {
      await deadline.run(services, clock.now());
      deadline.lookedAt = now;
    });
  }

  async function runDueDeadlines(): Promise<void> {
    if (closed) return;
    const held = await leases.hold(lease, tickMs - 1_000, async (lost) => {
      for (const deadline of watched) {
        if (closed || lost.aborted) break;
        await runDeadlineIfDue(deadline);
        reportProgress();
      }
      return true;
    });
    // another server runs the jobs, and reports their failures
    if (held === null) for (const { job } of watched) job.succeeded();
  }

  async function runPass(): Promise<void> {
    last = last.then(() => all.pass(runDueDeadlines));
    await last;
  }

  void runPass();
  const timer = setInterval(() => void runPass(), tickMs);
  timer.unref();
  return {
    run: runPass,
    async close() {
      closed = true;
      clearInterval(timer);
      await last;
      await leases.release(lease);
    },
  };
}

/** Does the work for each due item. Work that fails is tried again in the next pass and doesn't delay other work. */
export async function forEachDue<T extends { _id: string }>(
  { log }: { log: Logger },
  what: string,
  due: readonly T[],
  work: (one: T) => Promise<unknown>,
): Promise<void> {
  for (const one of due) {
    try {
      await work(one);
    } catch (error) {
      log.error({ err: error, id: one._id }, what);
    }
    reportProgress();
  }
}

/**
 * Runs the work of a deadline once, even if several servers try. One transaction stores the mark and does the work.
 * @param mark names the work, such as `review:<SOP id>:<date>:<step>`
 */
export async function runDeadlineOnce(
  { db }: { db: Database<Collections> },
  { mark, companyId, at }: { mark: string; companyId: string; at: string },
  work: (tx: Transaction<Collections>) => Promise<void>,
): Promise<void> {
  if ((await findDoneMarks({ db }, [mark])).has(mark)) return;
  try {
    await transactionFor(db, companyId, async (tx) => {
      await tx.collection("deadline_marks").insertOne({ _id: mark, companyId, at });
      await work(tx);
    });
  } catch (error) {
    if (!(error instanceof DuplicateKeyError) || !(await findDoneOrDamagedMarks({ db }, [mark])).has(mark)) throw error;
  }
}

const marksAtOnce = 500;

/** Finds the marks whose work is done. */
export async function findDoneMarks(
  { db }: { db: Database<Collections> },
  marks: readonly string[],
): Promise<Set<string>> {
  const done = new Set<string>();
  for (let from = 0; from < marks.length; from += marksAtOnce) {
    const some = marks.slice(from, from + marksAtOnce);
    for (const { _id } of await db.collection("deadline_marks").find({ _id: { $in: some } })) done.add(_id);
  }
  return done;
}

/**
 * Like `findDoneMarks`, but a mark that can't be read counts as done. It reads each mark alone, so call it only for
 * marks whose insertion failed as a duplicate.
 */
export async function findDoneOrDamagedMarks(
  { db }: { db: Database<Collections> },
  marks: readonly string[],
): Promise<Set<string>> {
  const taken = new Set<string>();
  for (const _id of marks) {
    const checkMark = async () => {
      if ((await db.collection("deadline_marks").findOne({ _id })) !== null) taken.add(_id);
    };
    if (!(await tryUnlessDamaged(checkMark))) taken.add(_id);
  }
  return taken;
}
