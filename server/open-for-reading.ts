/** For tasks that write nothing: they run beside a server, on the embedded engine too. */
import type { Config } from "./config.ts";
import { declarations } from "./database/collections.ts";
import type { Collections } from "./database/documents.ts";
import { migrations } from "./database/migration-list.ts";
import type { Database } from "./database/port.ts";
import { openDatabase } from "./services.ts";

export async function openForReading(config: Config): Promise<Database<Collections>> {
  if (config.mongodbUri !== null) return openDatabase(config);
  const { openSqlite } = await import("./database/sqlite/open.ts");
  const db = openSqlite<Collections>(config.dataDir, declarations, { migrations, readOnly: true });
  await db.prepare();
  return db;
}
