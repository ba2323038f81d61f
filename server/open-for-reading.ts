/** Opens the database for tasks that only read. They can run while a server runs, on the embedded engine too. */
import type { Config } from "./config.ts";
import { assertRegularFiles } from "./data-files.ts";
import { assertDatabaseFile, assertDatabaseRestored } from "./data-folder/installation.ts";
import { declarations, shapelessDeclarations, type Collections } from "./database/documents.ts";
import { migrations, latestSchema } from "./database/migration-list.ts";
import { loadCheckedMigrationRecords, lastDoneMigrationNumber, SchemaError } from "./database/migrations.ts";
import type { Database, Declarations } from "./database/port.ts";

interface OpenForReadingOptions {
  /** True to also read data of an earlier version, which is refused otherwise. */
  older?: boolean;
  /** Called once for each document that can't be read. */
  onDamage?: (collection: string, id: string) => void;
}

/**
 * Opens the database for reading.
 * @throws SchemaError for data of a newer version, and without `older` also for data of an earlier version
 */
export async function openDatabaseForReading(
  config: Config,
  given: OpenForReadingOptions = {},
): Promise<Database<Collections>> {
  assertRegularFiles(config.dataDir);
  const met = new Set<string>();
  const onDamage = (collection: string, id: string) => {
    const one = JSON.stringify([collection, id]);
    if (!met.has(one)) given.onDamage?.(collection, id);
    met.add(one);
  };
  const options = { ...given, onDamage };
  const db = await openDatabaseReadOnly(config, options, declarations);
  try {
    const records = await loadCheckedMigrationRecords(db, migrations, { readsOnly: true });
    if (db.engine === "mongodb") await assertDatabaseRestored(db);
    const schema = lastDoneMigrationNumber(records);
    // without records of migrations, no server has ever started on the database
    if (!options.older && records.length > 0 && schema < latestSchema) {
      throw new SchemaError(
        `the stored data is of an earlier version: it has schema ${schema}, this program has ${latestSchema}. Make a backup, then start the server: it brings the data up to date`,
      );
    }
    if (schema >= latestSchema) return db;
  } catch (error) {
    await db.close();
    throw error;
  }
  await db.close();
  return openDatabaseReadOnly(config, options, shapelessDeclarations);
}

async function openDatabaseReadOnly(
  { mongodbUri, dataDir }: Config,
  { onDamage }: OpenForReadingOptions,
  declared: Declarations<Collections>,
): Promise<Database<Collections>> {
  const reading = { migrations, readOnly: true, ...(onDamage ? { onDamage } : {}) };
  if (mongodbUri !== null) {
    const { openMongo } = await import("./database/mongodb/open.ts");
    return openMongo<Collections>(mongodbUri, declared, reading);
  }
  assertDatabaseFile(dataDir);
  const { openSqlite } = await import("./database/sqlite/open.ts");
  return openSqlite<Collections>(dataDir, declared, reading);
}
