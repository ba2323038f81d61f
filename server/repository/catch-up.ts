/**
 * Commits changes saved by this and other servers, and work interrupted by a crash: at start, when the ledger grows,
 * and every two seconds.
 */
import type { Jobs } from "../jobs/overdue.ts";
import type { Services } from "../http/services.ts";

const pollMs = 2_000;

export function startCatchingUp({ db, repositories }: Pick<Services, "db" | "repositories">, jobs: Jobs): () => void {
  const job = jobs.watch("repositories", pollMs);
  /** How far each company's ledger was when its committer was last woken. */
  const woken = new Map<string, number>();
  let pendingSeen = false;

  /** Every server commits into its own copy, whether or not another one was first: the ledger's end decides. */
  async function wakeGrown(): Promise<void> {
    for (const { _id: companyId, repoSeq } of await db
      .collection("counters")
      .find({}, { projection: { repoSeq: 1 } })) {
      if (woken.get(companyId) === repoSeq) continue;
      woken.set(companyId, repoSeq);
      repositories.wake(companyId);
    }
    if (!pendingSeen) await wakePending();
  }

  /**
   * The repositories retry a failed drain themselves (for example after a full disk). After a crash, this starts it
   * again.
   */
  async function wakePending(): Promise<void> {
    const waiting = await db
      .collection("repo_events")
      .aggregate<{ _id: string }>([{ $match: { state: "pending" } }, { $group: { _id: "$companyId" } }]);
    for (const { _id: companyId } of waiting) repositories.wake(companyId);
    pendingSeen = true;
  }

  const soon = () => void job.pass(wakeGrown);
  const stop = db.watch(["repo_events"], soon);
  const timer = setInterval(soon, pollMs);
  timer.unref();
  soon();
  return () => {
    clearInterval(timer);
    stop();
  };
}
