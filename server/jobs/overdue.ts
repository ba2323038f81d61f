/** Which of the periodic jobs have not succeeded for too long: told at /readyz, and once in the log. */
import type { Logger } from "pino";

export interface Job {
  /** Runs one pass. A failure is logged with the job's name and not thrown. */
  pass(run: () => Promise<unknown>): Promise<void>;
  /** For a pass that is long: it got on. */
  succeeded(): void;
}

export interface Jobs {
  /** @param everyMs how long from one pass to the next */
  watch(name: string, everyMs: number): Job;
  /** A sentence for each job that is overdue. */
  overdue(): string[];
  close(): void;
}

const lookEveryMs = 10_000;
/** A pass may be late, and fail twice. */
const passesMissed = 3;
const leastMs = 60_000;

/** @param now milliseconds of a clock that can't be set */
export function createJobs(log: Pick<Logger, "error" | "info">, now: () => number = () => performance.now()): Jobs {
  const watched = new Map<string, { everyMs: number; succeededAt: number; isFailing: boolean; isTold: boolean }>();

  const lateOnes = () =>
    [...watched].filter(([, { everyMs, succeededAt }]) => now() - succeededAt > passesMissed * everyMs + leastMs);

  function look(): void {
    for (const [name, job] of lateOnes()) {
      if (job.isTold) continue;
      job.isTold = true;
      const secondsAgo = Math.round((now() - job.succeededAt) / 1000);
      log.error({ job: name, everySeconds: job.everyMs / 1000, secondsAgo }, "a job is overdue");
    }
  }

  const timer = setInterval(look, lookEveryMs);
  timer.unref();
  return {
    watch(name, everyMs) {
      const job = { everyMs, succeededAt: now(), isFailing: false, isTold: false };
      watched.set(name, job);
      const succeeded = () => {
        if (job.isTold) log.info({ job: name }, "a job runs again");
        Object.assign(job, { succeededAt: now(), isFailing: false, isTold: false });
      };
      return {
        succeeded,
        async pass(run) {
          try {
            await run();
            succeeded();
          } catch (error) {
            // once, until it succeeds: some run twice a second
            if (!job.isFailing) log.error({ job: name, err: error }, "a job failed");
            job.isFailing = true;
          }
        },
      };
    },
    overdue() {
      look();
      return lateOnes().map(
        ([name, { succeededAt }]) =>
          `the job "${name}" has not succeeded for ${Math.round((now() - succeededAt) / 1000)} s`,
      );
    },
    close: () => clearInterval(timer),
  };
}
