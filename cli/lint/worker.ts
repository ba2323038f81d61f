/** The code of a lint thread: it lints the jobs that the main thread sends. */
import { parentPort } from "node:worker_threads";
import type { LintJob } from "./threads.ts";
import { lintJob } from "./job.ts";
import { createCollector } from "./memory.ts";

const collectNowAndThen = createCollector();

parentPort?.on("message", ({ id, job }: { id: number; job: LintJob }) => {
  parentPort?.postMessage({ id, entry: lintJob(job) });
  collectNowAndThen();
});
