/**
 * Watches background jobs and reports silent ones: at /readyz, and once in the log. All follow the same rule: a job can
 * be a minute late. That minute starts when its next pass is due, when a pass fails, and with each piece of work of a
 * long pass.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { Logger } from "pino";

export interface WatchedJob {
  /**
   * Runs a pass, unless all jobs are paused. A failure is logged with the job's name and not thrown.
   * @returns whether the pass ran and succeeded
   */
  pass(run: () => Promise<unknown>): Promise<boolean>;
  /** Records success, for a pass that goes on for long, and for work that another server does. */
  succeeded(): void;
}

export interface JobReport {
  job: string;
  secondsAgo: number;
  isLate: boolean;
}

export interface Jobs {
  /** Watches a job that has its own timer. @param everyMs milliseconds from one pass to the next */
  watch(name: string, everyMs: number): WatchedJob;
  /**
   * Runs a job with a long pause between its passes. A failed pass is tried again after some seconds.
   * @param firstMs milliseconds until the first pass
   * @param run may end early when the signal aborts
   * @returns a function that stops the job after the running pass
   */
  every(
    times: { name: string; everyMs: number; firstMs: number },
    run: (stopped: AbortSignal) => Promise<unknown>,
  ): () => Promise<void>;
  /** Returns the seconds since each job last made progress. */
  report(): JobReport[];
  /** Returns a sentence for each job that is overdue, and logs each such job once. */
  overdue(): string[];
  close(): void;
}

interface JobProgress {
  everyMs: number;
  /** The time of the job's last progress. */
  at: number;
  /** The number of running passes. */
  running: number;
  /** True if the job's last pass failed. */
  isFailing: boolean;
  hasRun: boolean;
  /** True if the log says that the job is overdue. */
  isTold: boolean;
}

const lookEveryMs = 10_000;
const lateMs = 60_000;
const retryMs = 20_000;

/** The function that reports progress of the job whose pass runs in this context. */
const current = new AsyncLocalStorage<() => void>();

/** Reports progress within a pass that takes long, so that its job isn't overdue. */
export function reportProgress(): void {
  current.getStore()?.();
}

/**
 * Creates the watch over background jobs, which names those that are late.
 * @param now milliseconds of a clock that no user can set
 * @param isPaused tells whether runs of jobs are paused; no job is late then
 */
export function createJobWatch(
  log: Pick<Logger, "error" | "info" | "debug">,
  now: () => number = () => performance.now(),
  isPaused: () => boolean = () => false,
): Jobs {
  const watched = new Map<string, JobProgress>();

  const isLate = ({ at, everyMs, running, isFailing }: JobProgress) =>
    now() - at > lateMs + (running > 0 || isFailing ? 0 : everyMs);
  const lateJobs = () => [...watched].filter(([, job]) => isLate(job));
  const secondsSince = (at: number) => Math.round((now() - at) / 1000);

  function logOverdue(): void {
    for (const [name, job] of lateJobs()) {
      if (job.isTold) continue;
      job.isTold = true;
      log.error({ job: name, everySeconds: job.everyMs / 1000, secondsAgo: secondsSince(job.at) }, "a job is overdue");
    }
  }

  function watchJob(name: string, everyMs: number): WatchedJob {
    const job: JobProgress = { everyMs, at: now(), running: 0, isFailing: false, hasRun: false, isTold: false };
    watched.set(name, job);
    // after a failure only success counts as progress, because each attempt repeats a part of the work
    const noteProgress = () => {
      if (job.running > 0 && !job.isFailing) job.at = now();
    };
    const noteSuccess = () => {
      if (!job.hasRun) log.debug({ job: name }, "a job has run");
      if (job.isTold) log.info({ job: name }, "a job runs again");
      Object.assign(job, { at: now(), isFailing: false, hasRun: true, isTold: false });
    };
    return {
      succeeded: noteSuccess,
      async pass(run) {
        if (isPaused()) {
          job.at = now();
          return false;
        }
        job.running += 1;
        if (job.running === 1) noteProgress();
        try {
          await current.run(noteProgress, run);
          noteSuccess();
          return true;
        } catch (error) {
          // log a failure once until the job succeeds: some jobs run twice a second
          if (!job.isFailing) log.error({ job: name, err: error }, "a job failed");
          job.isFailing = true;
          return false;
        } finally {
          job.running -= 1;
        }
      },
    };
  }

  const timer = setInterval(logOverdue, lookEveryMs);
  timer.unref();
  return {
    watch: watchJob,
    every({ name, everyMs, firstMs }, run) {
      const job = watchJob(name, everyMs);
      const stopped = new AbortController();
      let running: Promise<void> | null = null;
      let next: NodeJS.Timeout | undefined;
      const runTurn = async () => {
        const isDone = await job.pass(() =>
          run(stopped.signal).catch((error: unknown) => {
            if (!stopped.signal.aborted) throw error;
          }),
        );
        if (!stopped.signal.aborted) scheduleTurn(isDone ? everyMs : Math.min(retryMs, everyMs));
      };
      const scheduleTurn = (ms: number) => {
        next = setTimeout(() => (running = runTurn()), ms);
        next.unref();
      };
      scheduleTurn(firstMs);
      return async () => {
        stopped.abort();
        clearTimeout(next);
        await running;
      };
    },
    report: () => [...watched].map(([job, one]) => ({ job, secondsAgo: secondsSince(one.at), isLate: isLate(one) })),
    overdue() {
      logOverdue();
      return lateJobs().map(([name, { at }]) => `the job "${name}" has made no progress for ${secondsSince(at)} s`);
    },
    close: () => clearInterval(timer),
  };
}
