/** A thread that lints what it is sent. */
import { parentPort } from "node:worker_threads";
import type { Job } from "./lanes.ts";
import { lintJob } from "./job.ts";

parentPort?.on("message", ({ id, job }: { id: number; job: Job }) => {
  parentPort?.postMessage({ id, entry: lintJob(job) });
});
