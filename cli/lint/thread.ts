/** Starts threads that lint beside the main thread. */
import { Worker } from "node:worker_threads";
import { threadLimits } from "#core/processes.ts";
import type { CachedResult } from "./cache.ts";
import type { LintJob } from "./threads.ts";

export function startThreads(count: number): LintThread[] {
  return Array.from({ length: count }, startThread);
}

export interface LintThread {
  waitingJobs(): number;
  lint(job: LintJob): Promise<CachedResult>;
  end(): Promise<unknown>;
}

function startThread(): LintThread {
  const name = import.meta.url.endsWith(".js") ? "./lint-worker.js" : "./worker.ts";
  const worker = new Worker(new URL(name, import.meta.url), {
    resourceLimits: { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: threadLimits.lint.megabytes },
  });
  const waiting = new Map<number, { resolve: (entry: CachedResult) => void; reject: (error: Error) => void }>();
  let last = 0;
  worker.on("message", ({ id, entry }: { id: number; entry: CachedResult }) => {
    waiting.get(id)?.resolve(entry);
    waiting.delete(id);
  });
  worker.on("error", (error: Error) => {
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  });
  return {
    waitingJobs: () => waiting.size,
    lint: (job) =>
      new Promise((resolve, reject) => {
        waiting.set((last += 1), { resolve, reject });
        worker.postMessage({ id: last, job });
      }),
    end: () => worker.terminate(),
  };
}
