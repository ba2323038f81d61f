/**
 * Runs the migrations of the schema, numbered and recorded with a checksum. They run in batches and continue after a
 * stop of the server.
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
  /**
   * The progress; absent once all passes are done, and in records of earlier versions, which ran each migration in one
   * batch.
   */
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

/** The maximum number of documents in a batch. With the largest texts, a batch needs 100 MB of memory. */
export const documentsAtOnce = 100;
/**
 * The maximum number of documents that a batch reads. It ends the transaction even if no document of millions matches
 * the filter.
 */
const idsAtOnce = 1000;
/** MongoDB ends a transaction after this many milliseconds. */
const longestBatchMs = 60_000;

export class SchemaError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "SchemaError";
  }
}

/** The data has a form that only a newer version of the program knows. */
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
 * Returns the checksum of a migration's number and name. Leaves out the code that migrates the documents, because its
 * text differs between source and builds.
 */
function migrationChecksum({ number, name }: { number: number; name: string }): string {
  return sha256(`${number}\0${name}`);
}

export const isMigrationDone = ({ progress }: MigrationRecord) => progress === undefined;
export const migrationRecordId = ({ number }: { number: number }) => String(number).padStart(6, "0");

type NumberedMigrations = readonly { readonly number: number }[];

/** Returns the oldest schema whose data this program can migrate. */
export const firstMigrationNumber = (migrations: NumberedMigrations) => migrations[0]?.number ?? 1;
/** Returns the schema of this program. */
export const latestMigrationNumber = (migrations: NumberedMigrations) => migrations.at(-1)?.number ?? 0;
/** The advice for operators whose data is too old to be migrated. */
const olderSchema = "start version 1.0.0-beta.1 on it first";

/**
 * Returns the number of the last finished migration, or 0. All earlier ones have finished too, because migrations run
 * in order.
 */
export function lastDoneMigrationNumber(records: readonly MigrationRecord[]): number {
  return Math.max(0, ...records.filter(isMigrationDone).map(({ number }) => number));
}

/**
 * Returns the collection of migration records.
 * @param store any store: every database has this collection in addition to the declared ones
 */
export function migrationRecordCollection(store: { collection(name: never): unknown }): Collection<MigrationRecord> {
  return store.collection(migrationsCollection as never) as Collection<MigrationRecord>;
}

/**
 * Checks that this program can work on the data.
 * @param readsOnly true to count a damaged record as a finished migration, which its id names
 * @returns the records, including that of an unfinished migration
 * @throws SchemaError when the database is newer than this program, or has migrations that this program doesn't know
 */
export async function loadCheckedMigrationRecords<Collections>(
  database: Pick<Store<Collections>, "collection">,
  migrations: readonly Migration<Collections>[],
  { readsOnly = false } = {},
): Promise<MigrationRecord[]> {
  const first = firstMigrationNumber(migrations);
  migrations.forEach(({ number }, index) => {
    if (number !== first + index)
      throw new SchemaError(`migration ${first + index} is missing: they are numbered without gaps`);
  });
  const stored = migrationRecordCollection(database);
  const records = await stored.find({}, { sort: { _id: 1 } });
  // the query leaves out a damaged record. All earlier migrations have run, but it is unknown whether the last one has
  // finished, and it must not run again
  for (
    let number = (records.at(-1)?.number ?? first - 1) + 1;
    await isRecordUnreadable(stored, number, readsOnly);
    number++
  ) {
    const name = migrations[number - first]?.name ?? "its record is damaged";
    records.push({
      _id: migrationRecordId({ number }),
      number,
      name,
      checksum: migrationChecksum({ number, name }),
      at: "",
    });
  }
  const schema = lastDoneMigrationNumber(records);
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

/**
 * Says whether the record of a migration exists but can't be read.
 * @param readsOnly false to throw the error of such a record
 */
async function isRecordUnreadable(
  stored: Collection<MigrationRecord>,
  number: number,
  readsOnly: boolean,
): Promise<boolean> {
  try {
    await stored.findOne({ _id: migrationRecordId({ number }) });
    return false;
  } catch (error) {
    if (!readsOnly || !(error instanceof DamagedDocumentError)) throw error;
    return true;
  }
}

/**
 * Runs the migrations that have not finished.
 * @param ended called with each finished migration, but not for a new database
 * @param settleMs milliseconds to wait before the first change, so that servers of the previous version can finish
 * their writes
 */
export async function runMigrations<Collections>(
  database: Database<Collections>,
  migrations: readonly Migration<Collections>[],
  ended: (migration: EndedMigration) => void = () => undefined,
  settleMs = 0,
): Promise<void> {
  const records = await loadCheckedMigrationRecords(database, migrations);
  const schema = lastDoneMigrationNumber(records);
  const due = migrations.filter(({ number }) => number > schema);
  if (due[0] && records.length > 0 && settleMs > 0) await recordMigrationStart(database, due[0], settleMs);
  for (const migration of due) {
    const started = performance.now();
    const documents = await runMigration(database, migration);
    if (documents === null || records.length === 0) continue;
    const { number, name } = migration;
    ended({ number, name, documents, ms: Math.round(performance.now() - started) });
  }
}

/** Records a migration before its first change. Servers of the previous version see the record and stop writing. */
async function recordMigrationStart<Collections>(
  database: Database<Collections>,
  migration: Migration<Collections>,
  settleMs: number,
): Promise<void> {
  const { number, name } = migration;
  const progress = { pass: 0, after: "", documents: 0 };
  const at = new Date().toISOString();
  const record = {
    _id: migrationRecordId(migration),
    number,
    name,
    checksum: migrationChecksum(migration),
    at,
    progress,
  };
  await migrationRecordCollection(database)
    .insertOne(record)
    .catch((error: unknown) => {
      // another server, or an earlier start of this one, has stored the record
      if (!(error instanceof DuplicateKeyError)) throw error;
    });
  await delay(settleMs);
}

/**
 * Runs all batches of a migration.
 * @returns the number of processed documents; null when another server has finished the migration
 */
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
    const record = await migrationRecordCollection(database).findOne({ _id: migrationRecordId(migration) });
    throw new MigrationError(migration, record?.progress, error);
  }
}

/** Runs one batch in a transaction. @returns null when the migration has already finished */
async function runBatch<Collections>(
  transaction: Transaction<Collections>,
  migration: Migration<Collections>,
): Promise<{ isLast: boolean; documents: number } | null> {
  const { number, name, passes } = migration;
  const records = migrationRecordCollection(transaction);
  const _id = migrationRecordId(migration);
  const record = await records.findOne({ _id });
  if (record && isMigrationDone(record)) return null;
  const before = record?.progress ?? { pass: 0, after: "", documents: 0 };
  const { pass, found, next } = await findBatch(transaction, passes, before);
  const isLast = next.pass === passes.length;
  const at = new Date().toISOString();
  // write the record first: if two servers start at once, the second one waits or conflicts here
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
        // a record exists but is damaged
        if (error instanceof DuplicateKeyError)
          throw new SchemaError(`the record of migration ${number} is damaged: restore the last backup`);
        throw error;
      });
  else if (isLast) await records.updateOne({ _id }, { $set: { at }, $unset: { progress: "" } });
  else await records.updateOne({ _id }, { $set: { at, progress: next } });
  // the cast is safe, because the documents come from the collection of the pass
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
 * Finds the documents of the next batch. Skips passes without documents, so that a start on an empty database is short.
 */
async function findBatch<Collections>(
  store: Store<Collections>,
  passes: readonly MigrationPass<Collections>[],
  { pass: index, after, documents }: MigrationProgress,
): Promise<MigrationBatch<Collections>> {
  const pass = passes[index];
  if (pass === undefined) return { pass, found: [], next: { pass: index, after, documents } };
  const { found, last } = await findDocumentsAfter(store, pass, after);
  if (last === null && found.length === 0) return findBatch(store, passes, { pass: index + 1, after: "", documents });
  const place = last === null ? { pass: index + 1, after: "" } : { pass: index, after: last };
  return { pass, found, next: { ...place, documents: documents + found.length } };
}

/**
 * Finds the documents after an id.
 * @returns the documents, and the last id that was read; null at the end of the collection
 */
async function findDocumentsAfter<Collections>(
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

/** Says whether another try can succeed: after a full disk, a conflict with another server, or a lost connection. */
function isTemporary(error: unknown): boolean {
  const passing = [TransactionConflictError, DatabaseUnavailableError, StorageFullError];
  return passing.some((one) => error instanceof one);
}

/**
 * Repeats a step after a conflict. Another server may run the same migration: as long as that server makes progress,
 * this one waits.
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
      const now = JSON.stringify(
        await migrationRecordCollection(database).findOne({ _id: migrationRecordId(migration) }),
      );
      if (now !== seen) patience = performance.now() + longestBatchMs;
      else if (performance.now() > patience) throw error;
      seen = now;
    }
  }
}
