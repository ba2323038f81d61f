/**
 * Forward-only, numbered steps of the schema, recorded with a checksum. They run in batches and continue after a stop.
 */
import { setTimeout as delay } from "node:timers/promises";
import {
  type BaseDocument,
  type Collection,
  type CollectionDeclaration,
  DamagedDocumentError,
  type Database,
  DatabaseUnavailableError,
  DuplicateKeyError,
  type EndedMigration,
  type Untyped,
  type Migration,
  type MigrationPass,
  StorageFullError,
  type Store,
  type Transaction,
  TransactionConflictError,
} from "./port.ts";
import { sha256 } from "../hashing.ts";

export const migrationsCollection = "migrations";
export const migrationsDeclaration: CollectionDeclaration = { tenant: false, indexes: [] };

export interface MigrationRecord extends BaseDocument {
  number: number;
  name: string;
  checksum: string;
  at: string;
  /** The progress until all passes are done. Absent for older migrations, which ran in one batch. */
  progress?: MigrationProgress;
}

interface MigrationProgress {
  /** The index of the current pass. */
  pass: number;
  /** The last id that the pass has read, or empty. */
  after: string;
  /** The number of documents that all passes have processed so far. */
  documents: number;
}

/** The maximum number of documents in a batch. With the largest texts, a batch takes 100 MB of memory. */
export const documentsAtOnce = 100;
/**
 * The maximum number of documents that a batch looks through. A transaction must end, even if no document of millions
 * matches.
 */
const idsAtOnce = 1000;
/** MongoDB ends a transaction after a minute. */
const longestBatchMs = 60_000;

export class SchemaError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "SchemaError";
  }
}

/** The data has a form that only a newer version knows. */
export class NewerSchemaError extends SchemaError {
  constructor({ number, name }: { number: number; name: string }, known: number) {
    super(`the database has schema ${number} (${name}), this program knows up to ${known}: run the newer version`);
    this.name = "NewerSchemaError";
  }
}

class MigrationError extends SchemaError {
  constructor(
    { number, name }: { number: number; name: string },
    progress: MigrationProgress | undefined,
    cause: unknown,
  ) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(
      progress === undefined
        ? `migration ${number} (${name}) failed and changed nothing: ${reason}. Run the version before, and report this`
        : `migration ${number} (${name}) failed after ${progress.documents} documents: ${reason}. Report this: a repaired version goes on there. The way back is the backup of before`,
    );
    this.cause = cause;
  }
}

/**
 * The checksum of number and name. It leaves out the text of the passes, which differs between the source and every
 * build.
 */
function migrationChecksum({ number, name }: { number: number; name: string }): string {
  return sha256(`${number}\0${name}`);
}

export const isDone = ({ progress }: MigrationRecord) => progress === undefined;
export const recordId = ({ number }: { number: number }) => String(number).padStart(6, "0");

type NumberedMigrations = readonly { readonly number: number }[];

/** The oldest schema whose data this program brings up to date. */
export const firstMigrationNumber = (migrations: NumberedMigrations) => migrations[0]?.number ?? 1;
/** The schema of this program. */
export const latestMigrationNumber = (migrations: NumberedMigrations) => migrations.at(-1)?.number ?? 0;
/** What an operator does with older data. */
const olderSchema = "start version 1.0.0-beta.1 on it first";

/** The number of the last finished migration. Migrations run in order, so all earlier ones have finished. */
export function lastDoneMigration(records: readonly MigrationRecord[]): number {
  return Math.max(0, ...records.filter(isDone).map(({ number }) => number));
}

/** @param store any store: every database has this collection beside those that it declares */
export function migrationRecords(store: { collection(name: never): unknown }): Collection<MigrationRecord> {
  return store.collection(migrationsCollection as never) as Collection<MigrationRecord>;
}

/**
 * @param readsOnly true to count a record that can't be read as a finished migration, which its id names
 * @returns the records, including an unfinished one
 * @throws SchemaError when the database is newer than this program, or was migrated by another history
 */
export async function checkMigrations<Collections>(
  database: Pick<Store<Collections>, "collection">,
  migrations: readonly Migration<Collections>[],
  { readsOnly = false } = {},
): Promise<MigrationRecord[]> {
  const first = firstMigrationNumber(migrations);
  migrations.forEach(({ number }, index) => {
    if (number !== first + index)
      throw new SchemaError(`migration ${first + index} is missing: they are numbered without gaps`);
  });
  const stored = migrationRecords(database);
  const records = await stored.find({}, { sort: { _id: 1 } });
  // the list leaves out a damaged record. Earlier migrations certainly ran, but the last one must not run again
  for (
    let number = (records.at(-1)?.number ?? first - 1) + 1;
    await isRecordUnreadable(stored, number, readsOnly);
    number++
  ) {
    const name = migrations[number - first]?.name ?? "its record is damaged";
    records.push({ _id: recordId({ number }), number, name, checksum: migrationChecksum({ number, name }), at: "" });
  }
  const schema = lastDoneMigration(records);
  if (records.length > 0 && schema < first)
    throw new SchemaError(`the database has schema ${schema}, this program reads those from ${first}: ${olderSchema}`);
  for (const done of records.filter(({ number }) => number >= first)) {
    const known = migrations[done.number - first];
    if (!known) throw new NewerSchemaError(done, latestMigrationNumber(migrations));
    if (done.checksum !== migrationChecksum(known))
      throw new SchemaError(`migration ${done.number} ran as "${done.name}" and is "${known.name}" in this program`);
  }
  return records;
}

async function isRecordUnreadable(
  stored: Collection<MigrationRecord>,
  number: number,
  readsOnly: boolean,
): Promise<boolean> {
  try {
    await stored.findOne({ _id: recordId({ number }) });
    return false;
  } catch (error) {
    if (!readsOnly || !(error instanceof DamagedDocumentError)) throw error;
    return true;
  }
}

export async function runMigrations<Collections>(
  database: Database<Collections>,
  migrations: readonly Migration<Collections>[],
  ended: (migration: EndedMigration) => void = () => undefined,
  settleMs = 0,
): Promise<void> {
  const records = await checkMigrations(database, migrations);
  const schema = lastDoneMigration(records);
  const due = migrations.filter(({ number }) => number > schema);
  if (due[0] && records.length > 0 && settleMs > 0) await announceMigration(database, due[0], settleMs);
  for (const migration of due) {
    const started = performance.now();
    const documents = await runMigration(database, migration);
    if (documents === null || records.length === 0) continue;
    const { number, name } = migration;
    ended({ number, name, documents, ms: Math.round(performance.now() - started) });
  }
}

/** Stores the record before the first document changes. Servers of the previous version see it and end their writes. */
async function announceMigration<Collections>(
  database: Database<Collections>,
  migration: Migration<Collections>,
  settleMs: number,
): Promise<void> {
  const { number, name } = migration;
  const progress = { pass: 0, after: "", documents: 0 };
  const at = new Date().toISOString();
  const record = { _id: recordId(migration), number, name, checksum: migrationChecksum(migration), at, progress };
  await migrationRecords(database)
    .insertOne(record)
    .catch((error: unknown) => {
      // an earlier start or another server stored the record
      if (!(error instanceof DuplicateKeyError)) throw error;
    });
  await delay(settleMs);
}

/** @returns the number of documents that the migration processed; null when another server has finished it */
async function runMigration<Collections>(
  database: Database<Collections>,
  migration: Migration<Collections>,
): Promise<number | null> {
  try {
    for (;;) {
      const batch = await retryOnConflict(database, migration, (transaction) => runBatch(transaction, migration));
      if (batch === null || batch.isLast) return batch && batch.documents;
    }
  } catch (error) {
    if (isTemporary(error) || error instanceof SchemaError) throw error;
    const record = await migrationRecords(database).findOne({ _id: recordId(migration) });
    throw new MigrationError(migration, record?.progress, error);
  }
}

/** @returns null when the migration has finished already */
async function runBatch<Collections>(
  transaction: Transaction<Collections>,
  migration: Migration<Collections>,
): Promise<{ isLast: boolean; documents: number } | null> {
  const { number, name, passes } = migration;
  const records = migrationRecords(transaction);
  const _id = recordId(migration);
  const record = await records.findOne({ _id });
  if (record && isDone(record)) return null;
  const before = record?.progress ?? { pass: 0, after: "", documents: 0 };
  const { pass, found, next } = await findBatch(transaction, passes, before);
  const isLast = next.pass === passes.length;
  const at = new Date().toISOString();
  // the record comes first: of two servers that start at once, the second one waits or conflicts here
  if (record === null)
    await records
      .insertOne({
        _id,
        number,
        name,
        checksum: migrationChecksum(migration),
        at,
        ...(!isLast && { progress: next }),
      })
      .catch((error: unknown) => {
        // the record exists but can't be read
        if (error instanceof DuplicateKeyError)
          throw new SchemaError(`the record of migration ${number} is damaged: restore the last backup`);
        throw error;
      });
  else if (isLast) await records.updateOne({ _id }, { $set: { at }, $unset: { progress: "" } });
  else await records.updateOne({ _id }, { $set: { at, progress: next } });
  // the cast is safe, because the documents are of the pass's collection
  if (pass && found.length > 0) await pass.change(transaction, found as never);
  return { isLast, documents: next.documents };
}

interface MigrationBatch<Collections> {
  /** Undefined when all passes are done. */
  pass: MigrationPass<Collections> | undefined;
  found: readonly BaseDocument[];
  next: MigrationProgress;
}

/**
 * Finds the next documents. Passes without documents end in the same batch, so that a start on an empty database is
 * short.
 */
async function findBatch<Collections>(
  store: Store<Collections>,
  passes: readonly MigrationPass<Collections>[],
  { pass: index, after, documents }: MigrationProgress,
): Promise<MigrationBatch<Collections>> {
  const pass = passes[index];
  if (pass === undefined) return { pass, found: [], next: { pass: index, after, documents } };
  const { found, last } = await findAfter(store, pass, after);
  if (last === null && found.length === 0) return findBatch(store, passes, { pass: index + 1, after: "", documents });
  const place = last === null ? { pass: index + 1, after: "" } : { pass: index, after: last };
  return { pass, found, next: { ...place, documents: documents + found.length } };
}

/** @returns the last id that was read, or null at the end of the collection */
async function findAfter<Collections>(
  store: Store<Collections>,
  { collection: name, filter }: { collection: keyof Collections & string; filter?: Untyped },
  after: string,
): Promise<{ found: readonly BaseDocument[]; last: string | null }> {
  const collection = store.collection(name) as Collection<BaseDocument>;
  const sort = { _id: 1 } as const;
  const window = { sort, skip: idsAtOnce - 1, limit: 1, projection: { _id: 1 } } as const;
  const [end] = await collection.find({ _id: { $gt: after } }, window);
  const between = end ? { $gt: after, $lte: end._id } : { $gt: after };
  const found = await collection.find({ ...filter, _id: between }, { sort, limit: documentsAtOnce });
  const isFull = found.length === documentsAtOnce;
  return { found, last: (isFull ? found.at(-1) : end)?._id ?? null };
}

/** True for a full disk, a conflict with another server, or a lost connection: a later try can succeed. */
function isTemporary(error: unknown): boolean {
  const passing = [TransactionConflictError, DatabaseUnavailableError, StorageFullError];
  return passing.some((one) => error instanceof one);
}

/**
 * Repeats a step after a conflict. Another server that starts now can run the same migration, and this one waits while
 * that one makes progress.
 */
async function retryOnConflict<Collections, Result>(
  database: Database<Collections>,
  migration: Migration<Collections>,
  step: (transaction: Transaction<Collections>) => Promise<Result>,
): Promise<Result> {
  let seen = "";
  for (let patience = performance.now() + longestBatchMs; ;) {
    try {
      return await database.transaction(step);
    } catch (error) {
      if (!(error instanceof TransactionConflictError)) throw error;
      const now = JSON.stringify(await migrationRecords(database).findOne({ _id: recordId(migration) }));
      if (now !== seen) patience = performance.now() + longestBatchMs;
      else if (performance.now() > patience) throw error;
      seen = now;
    }
  }
}
