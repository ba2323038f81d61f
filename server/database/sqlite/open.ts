/** Opens the embedded engine: a single SQLite file that only this process writes. */
import { closeSync, mkdirSync, openSync } from "node:fs";
import { dirname, join } from "node:path";
import { serverLimits } from "../../capacity/resources.ts";
import { createCompanyStore } from "../company-store.ts";
import {
  loadCheckedMigrationRecords,
  migrationsCollection,
  migrationsDeclaration,
  runMigrations,
} from "../migrations.ts";
import {
  StorageFullError,
  type BaseDocument,
  type Collection,
  type Database,
  type Declarations,
  type Migration,
  type QueryRecord,
  type Store,
} from "../port.ts";
import { createSchemaGuard } from "../schema-guard.ts";
import { insideTransaction, assertOutsideTransaction, TransactionRun } from "../transaction-guard.ts";
import { Checkpoints } from "./checkpoints.ts";
import { CommitSignal } from "./commit-signal.ts";
import { createSqliteCollection, type TableAccess } from "./collection.ts";
import { Connections, type ConnectionsOptions } from "./connections.ts";
import type { OnDamage } from "./damaged-rows.ts";
import { CacheBudget } from "./document-cache.ts";
import { findDamage } from "./damage.ts";
import { addMissingTables } from "./older-tables.ts";
import { openOnFullDisk } from "./read-only.ts";
import {
  retryWithoutFreePages,
  createSchema,
  loadFieldTypes,
  rebuildIndexes,
  assertPagesReadable,
  refillDerivedTable,
  repairFieldTypes,
} from "./schema.ts";
import { updateSchemaCopy } from "./schema-copy.ts";
import { ReadableTableCopies } from "./readable-copies.ts";
import type { Session } from "./session.ts";
import { readSnapshot, readSnapshotOn } from "./moment.ts";
import { type SqliteTable, createSqliteTable } from "./table.ts";
import { SqliteWriter } from "./writer.ts";

export interface SqliteOptions<Collections> extends ConnectionsOptions {
  migrations?: readonly Migration<Collections>[];
  /** True to read while a server runs: takes no lock, writes nothing, sees every commit. */
  readOnly?: boolean;
  /** Called with every query and its plan. A test uses it to find full scans. */
  onQuery?: (record: QueryRecord) => void;
  /** True to refuse writes once a newer version takes over the data. */
  followsSchema?: boolean;
  /** Called once for each document that can't be read. */
  onDamage?: OnDamage;
  /** Called when no document of a collection can be read. */
  onLost?: (collection: string) => void;
  /** The size of the document cache, in characters of JSON text. */
  cacheCharacters?: number;
}

export interface SqliteDatabase<Collections> extends Database<Collections> {
  readonly engine: "sqlite";
  readonly file: string;
}

/** Opens the database. @param path the data folder, or the database file in it @throws DataFolderInUseError */
export function openSqlite<Collections>(
  path: string,
  declarations: Declarations<Collections>,
  options: SqliteOptions<Collections> = {},
): SqliteDatabase<Collections> {
  const file = databaseFileAt(path, options.readOnly ?? false);
  const tables = createTables(declarations, options);
  return options.readOnly
    ? openReader(file, declarations, tables, options)
    : openWriter(file, declarations, tables, options);
}

function openWriter<Collections>(
  file: string,
  declarations: Declarations<Collections>,
  tables: ReadonlyMap<string, SqliteTable>,
  options: SqliteOptions<Collections>,
): SqliteDatabase<Collections> {
  const connections = new Connections(file, tables, options);
  const { writing: connection, reading: reader } = connections;
  const { onQuery } = options;
  const signal = new CommitSignal();
  const schema = createSchemaGuard();
  const writer = new SqliteWriter(
    connection,
    onQuery,
    (written) => {
      checkpoints.schedule();
      signal.notifyWatchers(written);
    },
    () => {
      schema.assertCurrent();
      connections.log.assertNoFailedSync();
    },
    () => connections.log.waitUntilDurable(),
    options.makeSpace,
  );
  const checkpoints = new Checkpoints(file);
  const reading: Session = { connection: reader, onQuery, cached: true, settled: true, hasWritten: () => false };
  const reportRepair = (what: string, isMade = true) => options.onRepair?.(what, isMade);
  const repairTypes = () => {
    const isMade = repairFieldTypes(connection, tables);
    if (isMade) reportRepair("the types of fields");
    return isMade;
  };
  const withFreePages = (perform: () => void) =>
    retryWithoutFreePages(connection, perform, () => reportRepair("the list of unused pages"));
  for (const table of tables.values())
    table.damaged.rebuildIndexes = async () => {
      const what = `an index of ${table.name}`;
      try {
        await writer.runOutsideTransaction(() => {
          // fail early if a document is on a damaged page, because an index needs all documents
          assertPagesReadable(connection, table);
          withFreePages(() => {
            if (repairTypes()) return;
            rebuildIndexes(connection, table);
            reportRepair(what);
          });
        });
        updateSchemaCopy(file, reader);
        return true;
      } catch {
        reportRepair(what, false);
        return false;
      }
    };
  const refillTable = async (collection: string, derived: string): Promise<boolean> => {
    const table = tables.get(collection);
    if (table === undefined) return false;
    const isMade = await writer
      .run(({ connection: writing }) => refillDerivedTable(writing, table, derived))
      .then(
        () => true,
        () => false,
      );
    loadFieldTypes(connection, tables);
    table.cache.dropResults();
    reportRepair(`the table ${derived}`, isMade);
    return isMade;
  };
  const outside: TableAccess = {
    read: async (perform) => perform(reading),
    write: async (perform) => {
      assertOutsideTransaction(database);
      return writer.run(perform);
    },
  };
  const store = createSqliteStore<Collections>(tables, outside);
  const followSchema = () => options.followsSchema && schema.follow(database, options.migrations ?? []);
  const database: SqliteDatabase<Collections> = {
    engine: "sqlite",
    file,
    collection: store.collection,
    forCompany: (companyId) => createCompanyStore(store, declarations, companyId),
    async transaction(work) {
      assertOutsideTransaction(database);
      return writer.run(async (session) => {
        const run = new TransactionRun();
        const inside: TableAccess = {
          read: async (perform) => perform(session),
          write: async (perform) => perform(session),
        };
        const guarded = createSqliteStore<Collections>(tables, inside, run);
        const forCompany = (companyId: string) => createCompanyStore(guarded, declarations, companyId);
        try {
          const result = await insideTransaction(database, () => work({ ...guarded, forCompany }));
          run.finish();
          return result;
        } finally {
          run.abandon();
        }
      });
    },
    snapshot: (read) => readSnapshot(file, (session) => read(createSqliteStore(tables, readOnlyAccess(file, session)))),
    watch: (names, changed) => signal.watch(names, changed),
    outdated: schema.outdated,
    revision: (names) => names.reduce((sum, name) => sum + (tables.get(name)?.cache.commits ?? 0), 0),
    async prepare(ended) {
      const migrations = options.migrations ?? [];
      await writer.runOutsideTransaction(() => withFreePages(() => void repairTypes()));
      await writer.run((session) => createSchema(session.connection, tables.values()));
      updateSchemaCopy(file, reader);
      loadFieldTypes(connection, tables);
      await runMigrations(database, migrations, ended);
      markDocumentsCurrent(tables);
      followSchema();
    },
    now: async () => new Date().toISOString(),
    load: () => writer.load(),
    ping: async () => void reader.get("SELECT 1"),
    async damage() {
      const { findings, indexes, derived } = await findDamage(file, tables.values());
      const repairs: boolean[] = [];
      for (const name of indexes) repairs.push((await tables.get(name)?.damaged.rebuildIndexes()) ?? false);
      for (const { collection, table } of derived) repairs.push(await refillTable(collection, table));
      return repairs.includes(true) ? (await findDamage(file, tables.values())).findings : findings;
    },
    async close() {
      schema.stop();
      await writer.idle();
      signal.stop();
      await checkpoints.close();
      connections.close();
    },
  };
  return database;
}

/** Records that all documents have their shapes now. Call after all migrations have run. */
function markDocumentsCurrent(tables: ReadonlyMap<string, SqliteTable>): void {
  for (const table of tables.values()) {
    table.isCurrent = true;
    table.cache.dropAll();
  }
}

function openReader<Collections>(
  file: string,
  declarations: Declarations<Collections>,
  tables: ReadonlyMap<string, SqliteTable>,
  options: SqliteOptions<Collections>,
): SqliteDatabase<Collections> {
  const { connection, isAlone } = openOnFullDisk(file);
  addMissingTables(connection, tables.values());
  const rest = new ReadableTableCopies();
  const session: Session = {
    connection,
    onQuery: options.onQuery,
    cached: false,
    settled: false,
    hasWritten: () => false,
    rest,
  };
  let seen: unknown;
  const performInSnapshot = <T>(perform: () => T): T => {
    connection.exec("BEGIN");
    try {
      connection.get("SELECT 1 FROM sqlite_schema");
      const version = connection.get("PRAGMA data_version")?.["data_version"];
      if (version !== seen) {
        rest.clear();
        loadFieldTypes(connection, tables);
      }
      seen = version;
      return perform();
    } finally {
      // roll back, because a commit would fail again on a damaged page
      connection.exec("ROLLBACK");
    }
  };
  const refuse = createWriteRefusal(file);
  const store = createSqliteStore<Collections>(tables, {
    read: async (perform) => performInSnapshot(() => perform(session)),
    write: refuse,
  });
  return {
    engine: "sqlite",
    file,
    collection: store.collection,
    forCompany: (companyId) => createCompanyStore(store, declarations, companyId),
    transaction: refuse,
    snapshot(read) {
      const readAll = (moment: Session) => {
        loadFieldTypes(moment.connection, tables);
        return read(createSqliteStore(tables, readOnlyAccess(file, moment)));
      };
      if (isAlone) return readSnapshotOn(connection, readAll);
      return readSnapshot(file, (moment) => {
        addMissingTables(moment.connection, tables.values());
        return readAll(moment);
      });
    },
    watch: () => () => undefined,
    outdated: new Promise(() => undefined),
    revision: () => null,
    prepare: async () => void (await loadCheckedMigrationRecords(store, options.migrations ?? [])),
    now: async () => new Date().toISOString(),
    load: () => ({ running: 0, waiting: 0 }),
    ping: async () => void connection.get("SELECT 1"),
    async damage() {
      if (isAlone) throw new StorageFullError();
      return (await findDamage(file, tables.values())).findings;
    },
    async close() {
      rest.clear();
      connection.close();
    },
  };
}

function readOnlyAccess(file: string, session: Session): TableAccess {
  return { read: async (perform) => perform(session), write: createWriteRefusal(file) };
}

function createWriteRefusal(file: string): () => Promise<never> {
  return async () => {
    throw new Error(`${file} is open for reading only`);
  };
}

/** Creates a store. Its collections are created on first use, because a transaction needs only a few of them. */
function createSqliteStore<Collections>(
  tables: ReadonlyMap<string, SqliteTable>,
  reach: TableAccess,
  run?: TransactionRun,
): Store<Collections> {
  const made = new Map<string, Collection<BaseDocument>>();
  const createGuardedCollection = (name: string): Collection<BaseDocument> => {
    const table = tables.get(name);
    if (!table) throw new Error(`the collection ${name} is not declared`);
    const collection = createSqliteCollection(table, reach);
    const guarded = run ? run.guard(collection) : collection;
    made.set(name, guarded);
    return guarded;
  };
  return { collection: (name) => (made.get(name) ?? createGuardedCollection(name)) as unknown as Collection<never> };
}

function createTables<Collections>(
  declarations: Declarations<Collections>,
  options: SqliteOptions<Collections>,
): Map<string, SqliteTable> {
  const budget = new CacheBudget(options.cacheCharacters ?? serverLimits.documentCache.atMost);
  const all = { ...declarations, [migrationsCollection]: migrationsDeclaration };
  const { onDamage: met = () => undefined, onLost: lost = () => undefined, readOnly: isCurrent = false } = options;
  return new Map(
    Object.entries(all).map(([name, declaration]) => [
      name,
      createSqliteTable(name, declaration, budget, { met, lost, isCurrent }),
    ]),
  );
}

function databaseFileAt(path: string, readOnly: boolean): string {
  if (path.endsWith(".db")) {
    if (!readOnly) createPrivateFile(path);
    return path;
  }
  return databaseFileAt(join(path, "sopwright.db"), readOnly);
}

/** Creates a file that only its owner can read. SQLite gives its log files the same mode. */
function createPrivateFile(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  closeSync(openSync(file, "a", 0o600));
}
