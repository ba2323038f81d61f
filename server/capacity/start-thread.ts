/** Starts threads for the whole server, so that none runs without its limit (`core/processes.ts`). */
import { Worker } from "node:worker_threads";
import { threadLimits, type ThreadKind } from "#core/processes.ts";

/**
 * Megabytes for young objects. Parsing makes many small objects, and with a worker's default, collecting them took a
 * quarter of its time.
 */
const youngMegabytes = 48;

export function startWorker(kind: ThreadKind, file: URL, workerData?: unknown): Worker {
  const resourceLimits = {
    maxOldGenerationSizeMb: threadLimits[kind].megabytes,
    maxYoungGenerationSizeMb: youngMegabytes,
  };
  return new Worker(file, { workerData, resourceLimits });
}
