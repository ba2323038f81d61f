/** Starts the threads of the server, so that no thread runs without its memory limit (`core/processes.ts`). */
import { Worker } from "node:worker_threads";
import { threadLimits, type ThreadKind } from "#core/processes.ts";

/**
 * The memory in megabytes for young objects of a thread. Parsing creates many small objects; with the default, garbage
 * collection took a quarter of the thread's time.
 */
const youngMegabytes = 48;

export function startWorker(kind: ThreadKind, file: URL, workerData?: unknown): Worker {
  const resourceLimits = {
    maxOldGenerationSizeMb: threadLimits[kind].megabytes,
    maxYoungGenerationSizeMb: youngMegabytes,
  };
  return new Worker(file, { workerData, resourceLimits });
}
