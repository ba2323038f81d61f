/** The code of a lint thread: it lints the jobs that the main thread sends. */
import { parentPort } from "node:worker_threads";
import type { LintJob } from "./threads.ts";
import { runLintJob } from "./job.ts";
import { createGarbageCollector } from "./memory.ts";

const collectNowAndThen = createGarbageCollector();

parentPort?.on("message", ({ id, job }: { id: number; job: LintJob }) => {
  parentPort?.postMessage({ id, entry: runLintJob(job) });
  collectNowAndThen();
});
