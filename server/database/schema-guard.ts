/**
 * Ends the writes of this process once the data has a schema that a start would refuse, because it would write another
 * form.
 */
import { checkMigrations, migrationsCollection, SchemaError } from "./migrations.ts";
import type { Database, Migration } from "./port.ts";

export interface SchemaGuard {
  /** Call before each write. @throws SchemaError */
  assertCurrent(): void;
  /**
   * Resolves when a newer version records a step that this program doesn't know, or the records are of another history.
   */
  readonly outdated: Promise<SchemaError>;
  /** @param known the migrations of this program */
  follow<Collections>(
    database: Pick<Database<Collections>, "engine" | "watch" | "collection">,
    known: readonly Migration<Collections>[],
  ): void;
  stop(): void;
}

/**
 * The interval of a check beside the change stream. A stream can hang, and the embedded engine has no stream of writes
 * by other programs.
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
      // a failed check is harmless: while the database is away, no write succeeds
      const checkSchema = () =>
        void checkMigrations(database, known).catch((error: unknown) => {
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
