/** Looks for damage in the database file, in a thread of its own: a large file takes seconds. */
import { startWorker } from "../../capacity/start-thread.ts";
import type { DamageReply } from "./damage-worker.ts";
import type { Table } from "./table.ts";

/** Built, the worker is a file beside the server's; from source it is its TypeScript. */
function workerFile(): URL {
  return new URL(import.meta.url.endsWith(".ts") ? "./damage-worker.ts" : "./damage-worker.js", import.meta.url);
}

/** @returns one line for each finding */
export function findDamage(file: string, tables: Iterable<Table>): Promise<DamageReply> {
  const collections = [...tables].map(({ name, isCurrent, declaration }) => ({
    name,
    isShaped: isCurrent && declaration.shape !== undefined,
  }));
  return new Promise((resolve, reject) => {
    const worker = startWorker("damage", workerFile(), { file, collections });
    worker.once("message", resolve);
    worker.once("error", reject);
    worker.once("exit", () => reject(new Error("the check of the database stopped")));
  });
}
