/** Checks the database file for damage in a worker thread, because the check of a large file takes seconds. */
import { startWorker } from "../../capacity/start-thread.ts";
import type { DamageReply } from "./damage-worker.ts";
import type { SqliteTable } from "./table.ts";

/** Returns the worker's file: JavaScript next to the server's bundle, or TypeScript when run from source. */
function workerFile(): URL {
  return new URL(import.meta.url.endsWith(".ts") ? "./damage-worker.ts" : "./damage-worker.js", import.meta.url);
}

/** Finds damage in the file. @returns the findings, and the indexes and derived tables that the engine can rebuild */
export function findDamage(file: string, tables: Iterable<SqliteTable>): Promise<DamageReply> {
  const collections = [...tables].map(({ name, isCurrent, declaration, arrays, types }) => ({
    name,
    arrays,
    nested: types.nested,
    isShaped: isCurrent && declaration.shape !== undefined,
  }));
  return new Promise((resolve, reject) => {
    const worker = startWorker("damage", workerFile(), { file, collections });
    worker.once("message", resolve);
    worker.once("error", reject);
    worker.once("exit", () => reject(new Error("the check of the database stopped")));
  });
}
