/** Ends the writes of this process once a newer version brings the data up to date: it would write a form of before. */
import { migrationRecords, NewerSchemaError, recordId } from "./migrations.ts";
import type { Database } from "./port.ts";

export interface SchemaGuard {
  /** Before each write. @throws NewerSchemaError */
  assertCurrent(): void;
  /** Resolves when a newer version begins its first step that this program doesn't know. */
  readonly outdated: Promise<NewerSchemaError>;
  /** @param known the last migration of this program */
  follow<Collections>(database: Pick<Database<Collections>, "engine" | "watch" | "collection">, known: number): void;
  stop(): void;
}

/** The lock of the embedded engine keeps other servers out. Other programs aren't asked for it. */
const everyMs = 2_000;

export function createSchemaGuard(): SchemaGuard {
  const found = Promise.withResolvers<NewerSchemaError>();
  let newer: NewerSchemaError | null = null;
  let stop = () => undefined as void;
  return {
    outdated: found.promise,
    assertCurrent() {
      if (newer) throw newer;
    },
    follow(database, known) {
      const look = async () => {
        const record = await migrationRecords(database).findOne({ _id: recordId({ number: known + 1 }) });
        if (!record || newer) return;
        newer = new NewerSchemaError(record, known);
        found.resolve(newer);
      };
      // while the database is away, nothing is written either; the watch calls again when it is back
      const lookOnce = () => void look().catch(() => undefined);
      stop();
      if (database.engine === "mongodb") {
        stop = database.watch(["migrations" as never], lookOnce);
        return;
      }
      const timer = setInterval(lookOnce, everyMs);
      timer.unref();
      stop = () => clearInterval(timer);
    },
    stop: () => stop(),
  };
}
