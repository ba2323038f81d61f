/** Lints on the main thread, and for many files on further threads too. */
import { availableParallelism } from "node:os";
import type { ServerOwned } from "#core/lint/rule.ts";
import type { LintConfig } from "../config/resolve.ts";
import type { CachedResult } from "./cache.ts";
import { loadGarbageCollector, smallRunFilesAtMost } from "./many-files.ts";

export interface LintJob {
  path: string;
  text: string;
  config: LintConfig;
  base?: ServerOwned;
}

export interface LintThreads {
  /** The number of jobs to start at the same time. */
  parallelJobs: number;
  lint(job: LintJob): Promise<CachedResult>;
  end(): Promise<void>;
}

const jobsPerThread = 4;

export async function openThreads(files: number): Promise<LintThreads> {
  const { runLintJob } = await import("./job.ts");
  // A new thread compiles all modules again, which takes about a second of processor time.
  const threads = Math.min(Math.floor((files - 1) / smallRunFilesAtMost), Math.min(4, availableParallelism()) - 1);
  const workers = threads > 0 ? (await import("./thread.ts")).startThreads(threads) : [];
  const collectNowAndThen = await loadGarbageCollector(files);
  return {
    parallelJobs: 1 + workers.length * jobsPerThread,
    lint: async (job) => {
      const free = workers.find(({ waitingJobs }) => waitingJobs() < jobsPerThread);
      if (free !== undefined) return await free.lint(job);
      // The main thread pauses between two files, so that it can handle ^C and results of other threads.
      await new Promise((resolve) => setImmediate(resolve));
      collectNowAndThen();
      return runLintJob(job);
    },
    end: async () => {
      await Promise.all(workers.map((worker) => worker.end()));
    },
  };
}
