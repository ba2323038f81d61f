/** Commits what other servers saved, and what a crash left behind: at start, when the ledger grows, and every two seconds. */
import type { Services } from "../http/services.ts";

const pollMs = 2_000;

export function startCatchingUp({ db, repositories, log }: Pick<Services, "db" | "repositories" | "log">): () => void {
  const events = db.collection("repo_events");

  async function wakePending(): Promise<void> {
    const waiting = await events.aggregate<{ _id: string }>([
      { $match: { state: "pending" } },
      { $group: { _id: "$companyId" } },
    ]);
    for (const { _id: companyId } of waiting) repositories.wake(companyId);
  }

  const soon = () => void wakePending().catch((error: unknown) => log.error({ err: error }, "repository"));
  const stop = db.watch(["repo_events"], soon);
  const timer = setInterval(soon, pollMs);
  timer.unref();
  soon();
  return () => {
    clearInterval(timer);
    stop();
  };
}
