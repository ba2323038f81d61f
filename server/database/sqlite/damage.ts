/** Looks for damage in the database file, in a thread of its own: a large file takes seconds. */
import { Worker } from "node:worker_threads";
import type { DamageReply } from "./damage-worker.ts";

/** Built, the worker is a file beside the server's; from source it is its TypeScript. */
function workerFile(): URL {
  return new URL(import.meta.url.endsWith(".ts") ? "./damage-worker.ts" : "./damage-worker.js", import.meta.url);
}

/** @returns one line for each finding */
export function findDamage(file: string, collections: readonly string[]): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(workerFile(), { workerData: { file, collections } });
    worker.once("message", ({ findings }: DamageReply) => resolve(findings));
    worker.once("error", reject);
    worker.once("exit", () => reject(new Error("the check of the database stopped")));
  });
}
