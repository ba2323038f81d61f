/** Ends the writes of this process once the data has a schema that a start would refuse: it would write another form. */
import { checkMigrations, migrationsCollection, SchemaError } from "./migrations.ts";
import type { Database, Migration } from "./port.ts";

export interface SchemaGuard {
  /** Before each write. @throws SchemaError */
  assertCurrent(): void;
  /** Resolves when a newer version marks any step that this program doesn't know, or the marks are of another history. */
  readonly outdated: Promise<SchemaError>;
  /** @param known the migrations of this program */
  follow<Collections>(
    database: Pick<Database<Collections>, "engine" | "watch" | "collection">,
    known: readonly Migration<Collections>[],
  ): void;
  stop(): void;
}

/** A change stream can hang. The embedded engine has none for other programs, which its lock doesn't keep out. */
const everyMs = 2_000;

export function createSchemaGuard(): SchemaGuard {
  const found = Promise.withResolvers<SchemaError>();
  let refused: SchemaError | null = null;
  let stop = () => undefined as void;
  return {
    outdated: found.promise,
    assertCurrent() {
      if (refused) throw refused;
    },
    follow(database, known) {
      // while the database is away, nothing is written either
      const look = () =>
        void checkMigrations(database, known).catch((error: unknown) => {
          if (refused || !(error instanceof SchemaError)) return;
          refused = error;
          found.resolve(error);
        });
      stop();
      const unwatch = database.engine === "mongodb" ? database.watch([migrationsCollection as never], look) : undefined;
      const timer = setInterval(look, everyMs);
      timer.unref();
      stop = () => {
        clearInterval(timer);
        unwatch?.();
      };
    },
    stop: () => stop(),
  };
}
