/** Runs a suite on SQLite, and on MongoDB if its file is listed in `engines.ts`. The test names say which. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
// oxlint-disable-next-line no-restricted-imports -- drops the databases of the tests
import { MongoClient } from "mongodb";
import { afterAll, describe } from "vitest";
import { openMongo } from "../../server/database/mongodb/open.ts";
import type { Database, Declarations, Migration, QueryRecord } from "../../server/database/port.ts";
import { openSqlite } from "../../server/database/sqlite/open.ts";
import { describeOnMongo, momentsOf, mongoUri } from "./mongo-uri.ts";

export interface OpenOptions<Collections> {
  migrations?: readonly Migration<Collections>[];
  /**
   * The database's name. Within a suite, the same name opens the same database (on SQLite: once the earlier one is
   * closed).
   */
  name?: string;
  /** Declarations of another version, for the same collections. */
  declarations?: Declarations<Collections>;
  /** False if the test calls `prepare()` itself. */
  prepare?: boolean;
  /** Called on SQLite with every query and its plan. */
  onQuery?: (record: QueryRecord) => void;
  /** True to end writes once a newer version takes over the data. */
  followsSchema?: boolean;
  /** Milliseconds that servers of the previous version get to end their writes, on MongoDB. */
  settleMs?: number;
  /** Called on MongoDB with every command. */
  onCommand?: (name: string) => void;
}

/** Opens an empty, prepared database; all are closed and removed after the suite. */
export type OpenDatabase<Collections> = (options?: OpenOptions<Collections>) => Promise<Database<Collections>>;

type Define<Collections> = (open: OpenDatabase<Collections>, engine: Database<Collections>["engine"]) => void;

export function describeEachEngine<Collections>(
  name: string,
  declarations: Declarations<Collections>,
  define: Define<Collections>,
): void {
  describeSqlite(name, declarations, define);
  describeMongo(name, declarations, define);
}

function describeSqlite<Collections>(
  name: string,
  declarations: Declarations<Collections>,
  define: Define<Collections>,
): void {
  describe(`${name} on SQLite`, () => {
    const folder = mkdtempSync(join(tmpdir(), "sopwright-test-"));
    const opened: Database<Collections>[] = [];
    afterAll(async () => {
      for (const database of opened) await database.close();
      rmSync(folder, { recursive: true, force: true });
    });
    define(
      async ({ prepare = true, name: own, migrations, declarations: other, onQuery, followsSchema = false } = {}) => {
        const database = openSqlite(join(folder, own ?? `database-${opened.length}`), other ?? declarations, {
          followsSchema,
          ...(migrations ? { migrations } : {}),
          ...(onQuery ? { onQuery } : {}),
        });
        opened.push(database);
        if (prepare) await database.prepare();
        return database;
      },
      "sqlite",
    );
  });
}

/** Defines a suite on MongoDB only, for behavior of a database that several servers share. */
export function describeMongo<Collections>(
  name: string,
  declarations: Declarations<Collections>,
  define: Define<Collections>,
): void {
  const uri = mongoUri();
  describeOnMongo(name, () => {
    const suite = `t${process.pid}_${Date.now().toString(36)}_${Math.random().toString(36).slice(2, 8)}`;
    const names = new Set<string>();
    const opened: Database<Collections>[] = [];
    afterAll(async () => {
      for (const database of opened) await database.close();
      if (uri !== null) await drop(uri, names);
    });
    define(
      async ({
        prepare = true,
        name: own,
        migrations,
        declarations: other,
        onCommand,
        settleMs = 0,
        followsSchema = false,
      } = {}) => {
        const dbName = `${suite}_${own ?? opened.length}`;
        names.add(dbName);
        const database = await openMongo(uri ?? "", other ?? declarations, {
          dbName,
          ...momentsOf(uri ?? ""),
          settleMs,
          followsSchema,
          ...(migrations ? { migrations } : {}),
          ...(onCommand ? { commandMonitor: onCommand } : {}),
        });
        opened.push(database);
        if (prepare) await database.prepare();
        return database;
      },
      "mongodb",
    );
  });
}

async function drop(uri: string, names: ReadonlySet<string>): Promise<void> {
  const client = new MongoClient(uri);
  try {
    for (const name of names) await client.db(name).dropDatabase();
  } finally {
    await client.close();
  }
}
