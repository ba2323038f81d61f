/**
 * Stops the writes of this process once a newer version of the program has migrated the data, because this version
 * would write the old form.
 */
import { loadCheckedMigrationRecords, migrationsCollection, SchemaError } from "./migrations.ts";
import type { Database, Migration } from "./port.ts";

export interface SchemaGuard {
  /** Checks that the data has no schema that this program lacks. Call before each write. @throws SchemaError */
  assertCurrent(): void;
  /** Resolves when the records contain a migration that this program doesn't know. */
  readonly outdated: Promise<SchemaError>;
  /** Starts to watch the migration records. @param known the migrations of this program */
  follow<Collections>(
    database: Pick<Database<Collections>, "engine" | "watch" | "collection">,
    known: readonly Migration<Collections>[],
  ): void;
  stop(): void;
}

/**
 * The interval in milliseconds of a check in addition to the change stream. A stream can hang, and the embedded engine
 * has no stream of other programs' writes.
 */
const everyMs = 2_000;

export function createSchemaGuard(): SchemaGuard {
  const found = Promise.withResolvers<SchemaError>();
  let refused: SchemaError | null = null;
  let stopWatching = () => undefined as void;
  return {
    outdated: found.promise,
    assertCurrent() {
      if (refused) throw refused;
    },
    follow(database, known) {
      // ignore a failed check: while the database doesn't answer, no write succeeds
      const checkSchema = () =>
        void loadCheckedMigrationRecords(database, known).catch((error: unknown) => {
          if (refused || !(error instanceof SchemaError)) return;
          refused = error;
          found.resolve(error);
        });
      stopWatching();
      const unwatch =
        database.engine === "mongodb" ? database.watch([migrationsCollection as never], checkSchema) : undefined;
      const timer = setInterval(checkSchema, everyMs);
      timer.unref();
      stopWatching = () => {
        clearInterval(timer);
        unwatch?.();
      };
    },
    stop: () => stopWatching(),
  };
}
