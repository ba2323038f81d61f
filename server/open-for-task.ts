/** Opens the database for tasks that write. With the embedded engine, no server may run. */
import { statSync } from "node:fs";
import path from "node:path";
import type { Config } from "./config.ts";
import type { Collections } from "./database/documents.ts";
import type { Database } from "./database/port.ts";
import { openDatabaseForReading } from "./open-for-reading.ts";
import { openDatabase } from "./services.ts";

/**
 * Opens the database for a task.
 * @throws SchemaError for data of another version, which only the start of a server can migrate
 */
export async function openDatabaseForTask(config: Config): Promise<Database<Collections>> {
  await assertCurrentData(config);
  const db = await openDatabase(config);
  try {
    await db.prepare();
    return db;
  } catch (error) {
    await db.close();
    throw error;
  }
}

/**
 * Checks that the stored data is of this version. Does nothing without a database.
 * @throws SchemaError for data of another version
 */
export async function assertCurrentData(config: Config): Promise<void> {
  if (config.mongodbUri === null && !hasDatabase(config.dataDir)) return;
  await (await openDatabaseForReading(config)).close();
}

function hasDatabase(dataDir: string): boolean {
  return (statSync(path.join(dataDir, "sopwright.db"), { throwIfNoEntry: false })?.size ?? 0) > 0;
}
