/**
 * Commits changes that this and other servers saved, and changes whose commit a crash interrupted. A saved change wakes
 * only the repository of its company. On MongoDB a repository is a cache: a server updates those that it has.
 */
import type { RepoEventDocument } from "../database/documents.ts";
import type { Filter } from "../database/port.ts";
import type { Leases } from "../jobs/leases.ts";
import type { Jobs } from "../jobs/overdue.ts";
import type { Services } from "../http/services.ts";

/** The interval at which the server checks for events that no server has committed. */
const lookEveryMs = 60_000;

export function startCatchingUp(
  { db, clock, repositories }: Pick<Services, "db" | "clock" | "repositories">,
  leases: Leases,
  jobs: Jobs,
): () => void {
  const job = jobs.watch("repositories", lookEveryMs);
  let isStopped = false;

  function wakeCompanies(companies: Iterable<string>): void {
    for (const companyId of companies) {
      if (db.engine === "sqlite" || repositories.isHere(companyId)) repositories.wake(companyId);
    }
  }

  async function allCompanies(): Promise<string[]> {
    return (await db.collection("counters").find({}, { projection: { _id: 1 } })).map(({ _id }) => _id);
  }

  /** @param more a further condition on the waiting events */
  async function wakeWaiting(more: Filter<RepoEventDocument> = {}): Promise<void> {
    const waiting = await db
      .collection("repo_events")
      .aggregate<{ _id: string }>([{ $match: { state: "pending", ...more } }, { $group: { _id: "$companyId" } }]);
    for (const { _id: companyId } of waiting) repositories.wake(companyId);
  }

  /** Commits first what a crash interrupted, then checks all repositories. Runs at the start of the embedded engine. */
  async function wakeAndCheck(): Promise<void> {
    await wakeWaiting();
    void checkRepositories(await allCompanies());
  }

  /** Checks one repository after another, because many open ones would fill the memory. */
  async function checkRepositories(companies: readonly string[]): Promise<void> {
    for (const companyId of companies) {
      if (isStopped) return;
      // `wake` logs a failure and tries again later
      await repositories.check(companyId).catch(() => repositories.wake(companyId));
    }
  }

  /**
   * Wakes all repositories after a time without notices of changes. On MongoDB, watching starts with a notice that
   * names no companies.
   */
  const wakeAll = async () => wakeCompanies(await allCompanies());

  /** Wakes repositories whose events no server has committed, because the server that saved them stopped. */
  const wakeUncommitted = () => wakeWaiting({ at: { $lt: new Date(clock.millis() - lookEveryMs).toISOString() } });

  const wakeUncommittedByLease = () =>
    void job.pass(() => leases.hold("repositories", lookEveryMs - 1_000, wakeUncommitted));
  const stop = db.watch(["repo_events"], (written) => {
    const companies = written.get("repo_events")?.companies;
    if (companies) wakeCompanies(companies);
    else void job.pass(wakeAll);
  });
  const timer = setInterval(wakeUncommittedByLease, lookEveryMs);
  timer.unref();
  if (db.engine === "sqlite") void job.pass(wakeAndCheck);
  wakeUncommittedByLease();
  return () => {
    isStopped = true;
    clearInterval(timer);
    stop();
  };
}
