/** The threads that lint: this one, and more beside it for many files. */
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { ServerOwned } from "#core/lint/rule.ts";
import type { LintConfig } from "../config/resolve.ts";
import type { Entry } from "./cache.ts";
import { createCollector } from "./memory.ts";

export interface Job {
  path: string;
  text: string;
  config: LintConfig;
  base?: ServerOwned;
}

export interface LintThreads {
  /** How many jobs to hand out at a time. */
  parallelJobs: number;
  lint(job: Job): Promise<Entry>;
  end(): Promise<void>;
}

/** A thread compiles everything once more, a second of processor time: worth it where a thousand files wait. */
const filesForThread = 1_000;
const ahead = 4;

export async function openThreads(files: number): Promise<LintThreads> {
  const { lintJob } = await import("./job.ts");
  const threads = Math.min(Math.floor((files - 1) / filesForThread), Math.min(4, availableParallelism()) - 1);
  const workers = Array.from({ length: Math.max(0, threads) }, startWorker);
  const collectNowAndThen = createCollector();
  return {
    parallelJobs: 1 + workers.length * ahead,
    lint: async (job) => {
      const free = workers.find(({ busy }) => busy() < ahead);
      if (free !== undefined) return await free.lint(job);
      // Answers of the threads, and ^C, are heard between two files.
      await new Promise((resolve) => setImmediate(resolve));
      if (files > filesForThread) collectNowAndThen();
      return lintJob(job);
    },
    end: async () => {
      await Promise.all(workers.map((worker) => worker.end()));
    },
  };
}

interface LintThread {
  busy(): number;
  lint(job: Job): Promise<Entry>;
  end(): Promise<unknown>;
}

function startWorker(): LintThread {
  const name = import.meta.url.endsWith(".js") ? "./lint-worker.js" : "./worker.ts";
  const worker = new Worker(new URL(name, import.meta.url), {
    resourceLimits: { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 256 },
  });
  const waiting = new Map<number, { resolve: (entry: Entry) => void; reject: (error: Error) => void }>();
  let last = 0;
  worker.on("message", ({ id, entry }: { id: number; entry: Entry }) => {
    waiting.get(id)?.resolve(entry);
    waiting.delete(id);
  });
  worker.on("error", (error: Error) => {
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  });
  return {
    busy: () => waiting.size,
    lint: (job) =>
      new Promise((resolve, reject) => {
        waiting.set((last += 1), { resolve, reject });
        worker.postMessage({ id: last, job });
      }),
    end: () => worker.terminate(),
  };
}
