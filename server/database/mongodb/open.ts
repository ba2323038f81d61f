/**
 * Opens the MongoDB engine, a thin layer over the driver. Overrides the URI's options, so that reads and writes always
 * go to a majority, on disk.
 */
// oxlint-disable-next-line no-restricted-imports -- the engine itself
import { type ClientSession, type Db, type Document, MongoClient, MongoServerSelectionError } from "mongodb";
import { serverLimits } from "../../capacity/resources.ts";
import { createCompanyStore } from "../company-store.ts";
import { migrationsCollection, migrationsDeclaration, runMigrations } from "../migrations.ts";
import type {
  BaseDocument,
  CollectionDeclaration,
  Collection,
  Database,
  Declarations,
  Migration,
  Store,
} from "../port.ts";
import { createSchemaGuard, type SchemaGuard } from "../schema-guard.ts";
import { insideTransaction, assertOutsideTransaction } from "../transaction-guard.ts";
import { type Availability, heartbeatMs, watchAvailability } from "./availability.ts";
import { createMongoCollection, type CollectionContext } from "./collection.ts";
import { findShapeless, type DocumentChecks } from "./shapeless.ts";
import { translateErrors } from "./errors.ts";
import { snapshotConcern, readMongoSnapshot, refuseWrites, type SnapshotKind } from "./moment.ts";
import { createSchema } from "./schema.ts";
import { createTransactions } from "./transaction.ts";
import { createChangeSignal } from "./watch.ts";

export interface MongoOptions<Collections> {
  migrations?: readonly Migration<Collections>[];
  /** Default: the name in the URI, else `sopwright`. */
  dbName?: string;
  /** Called when the server stops answering, and when it answers again. */
  report?: (answers: boolean) => void;
  /** The way to read a single moment; set for servers without snapshot sessions. */
  moments?: SnapshotKind;
  /** True to read data of any version. */
  readOnly?: boolean;
  /** True to refuse writes once a newer version takes over the data. */
  followsSchema?: boolean;
  /**
   * Milliseconds to wait before the first migration, so that servers of the previous version can finish their writes.
   * Default: 0.
   */
  settleMs?: number;
  /** Called for each document that can't be read. */
  onDamage?: (collection: string, id: string) => void;
  /** Called with every command that is sent. Tests use it to count commands. */
  commandMonitor?: (name: string, command: Record<string, unknown>) => void;
}

const connectPatienceMs = 10_000;

export class StandaloneServerError extends Error {
  constructor() {
    super(
      "MONGODB_URI leads to a standalone server, and Sopwright needs transactions and change streams. Start it with `mongod --replSet rs0` and run `mongosh --eval 'rs.initiate()'` once",
    );
    this.name = "StandaloneServerError";
  }
}

/** Opens MongoDB. @throws StandaloneServerError, or the driver's error when no server answers within ten seconds */
export async function openMongo<Collections>(
  uri: string,
  declarations: Declarations<Collections>,
  options: MongoOptions<Collections> = {},
): Promise<Database<Collections>> {
  const { commandMonitor } = options;
  const client = new MongoClient(uri, {
    writeConcern: { w: "majority", journal: true },
    readConcern: { level: "majority" },
    readPreference: "primary",
    retryWrites: true,
    retryReads: true,
    ignoreUndefined: true,
    promoteBuffers: true,
    heartbeatFrequencyMS: heartbeatMs,
    maxPoolSize: serverLimits.mongoConnections.atMost,
    connectTimeoutMS: 2_000,
    serverSelectionTimeoutMS: 1_500,
    monitorCommands: commandMonitor !== undefined,
  });
  if (commandMonitor) client.on("commandStarted", ({ commandName, command }) => commandMonitor(commandName, command));
  const availability = watchAvailability(client, options.report ?? (() => undefined));
  try {
    await connectWithRetries(client);
    await assertReplicaSet(client);
  } catch (error) {
    availability.stop();
    await client.close();
    throw error;
  }
  const inner = client.db(options.dbName ?? databaseNameIn(uri));
  return createMongoDatabase({ client, inner, availability }, declarations, options);
}

/** Connects to MongoDB, with retries, because MongoDB may be starting. */
async function connectWithRetries(client: MongoClient): Promise<void> {
  for (const patience = performance.now() + connectPatienceMs; ;) {
    try {
      await client.connect();
      return;
    } catch (error) {
      if (!(error instanceof MongoServerSelectionError) || performance.now() > patience) throw error;
    }
  }
}

async function assertReplicaSet(client: MongoClient): Promise<void> {
  const hello = await client.db("admin").command({ hello: 1 });
  if (hello["setName"] === undefined && hello["msg"] !== "isdbgrid") throw new StandaloneServerError();
}

function databaseNameIn(uri: string): string {
  return /^mongodb(?:\+srv)?:\/\/[^/]+\/([^?]+)/.exec(uri)?.[1] ?? "sopwright";
}

interface OpenedMongo {
  client: MongoClient;
  inner: Db;
  availability: Availability;
}

interface DatabaseHandle extends Pick<OpenedMongo, "inner"> {
  documents: DocumentChecks;
}

function createMongoDatabase<Collections>(
  { client, inner, availability }: OpenedMongo,
  declarations: Declarations<Collections>,
  options: MongoOptions<Collections>,
): Database<Collections> {
  const { migrations = [], moments = "session", settleMs = 0, followsSchema = false } = options;
  const documents = { isCurrent: options.readOnly ?? false, met: options.onDamage ?? (() => undefined) };
  const all: Record<string, CollectionDeclaration> = { ...declarations, [migrationsCollection]: migrationsDeclaration };
  const signal = createChangeSignal(inner);
  const load = createPoolCounter(client);
  const transactions = createTransactions(client, availability);
  const schema = createSchemaGuard();
  const outside: CollectionContext = {
    availability,
    beforeWrite: () => {
      assertOutsideTransaction(database);
      schema.assertCurrent();
    },
    together: (write) => transactions.run((session) => write(session)),
  };
  const place = { inner, documents };
  const store = createMongoStore<Collections>(place, all, () => outside);
  const runCommand = (command: Document, how?: { timeoutMS: number }) =>
    availability.guard(() => translateErrors(() => inner.command(command, how)));
  const database: Database<Collections> = {
    engine: "mongodb",
    collection: store.collection,
    forCompany: (companyId) => createCompanyStore(store, declarations, companyId),
    async transaction(work) {
      assertOutsideTransaction(database);
      return transactions.run((session, run) => {
        const within = createMongoStore<Collections>(place, all, () =>
          transactionContext(session, availability, schema),
        );
        const guarded: Store<Collections> = { collection: (name) => run.guard(within.collection(name)) };
        const forCompany = (companyId: string) => createCompanyStore(guarded, declarations, companyId);
        return insideTransaction(database, () => work({ ...guarded, forCompany }));
      });
    },
    snapshot: (read) =>
      readMongoSnapshot(client, inner, moments, (session) => {
        const within = { ...transactionContext(session, availability, schema), beforeWrite: refuseWrites };
        return read(createMongoStore<Collections>(place, all, () => within, { readConcern: snapshotConcern }));
      }),
    revision: () => null,
    watch: (names, changed) => signal.watch(names, changed),
    outdated: schema.outdated,
    async prepare(ended) {
      await createSchema(inner, all);
      await runMigrations(database, migrations, ended, settleMs);
      documents.isCurrent = true;
      if (followsSchema) schema.follow(database, migrations);
    },
    now: async () => ((await runCommand({ hello: 1 }))["localTime"] as Date).toISOString(),
    load,
    ping: async () => void (await runCommand({ ping: 1 }, { timeoutMS: 3000 })),
    damage: () => availability.guard(() => translateErrors(() => findShapeless(place, all))),
    async close() {
      schema.stop();
      availability.stop();
      transactions.stop();
      await signal.stop();
      await client.close();
    },
  };
  return database;
}

function transactionContext(
  session: ClientSession,
  availability: Availability,
  schema: SchemaGuard,
): CollectionContext {
  return { session, availability, beforeWrite: () => schema.assertCurrent(), together: (write) => write(session) };
}

function createMongoStore<Collections>(
  { inner, documents }: DatabaseHandle,
  declarations: Record<string, CollectionDeclaration>,
  place: () => CollectionContext,
  concern?: { readConcern: typeof snapshotConcern },
): Store<Collections> {
  return {
    collection(name) {
      const declaration = declarations[name];
      if (!declaration) throw new Error(`the collection ${name} is not declared`);
      const collection = createMongoCollection(
        inner.collection<BaseDocument>(name, concern),
        { name, declaration, documents },
        place(),
      );
      return collection as unknown as Collection<never>;
    },
  };
}

/**
 * Starts to count the driver's running commands, and the commands that wait for a connection.
 * @returns a function that returns the present counts
 */
// oxlint-disable-next-line no-restricted-imports -- the engine itself
function createPoolCounter(client: MongoClient): () => { running: number; waiting: number } {
  let [running, waiting] = [0, 0];
  client.on("connectionCheckOutStarted", () => (waiting += 1));
  client.on("connectionCheckOutFailed", () => (waiting -= 1));
  client.on("connectionCheckedOut", () => {
    waiting -= 1;
    running += 1;
  });
  client.on("connectionCheckedIn", () => (running -= 1));
  // commands that began before the count started only end here, which would make it negative
  return () => ({ running: Math.max(0, running), waiting: Math.max(0, waiting) });
}
