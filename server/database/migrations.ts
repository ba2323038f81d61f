/** Forward-only, numbered steps of the schema, recorded with a checksum. They run in batches, and go on after a stop. */
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
  type Pass,
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
  /** Until all passes are done. Migrations of before this field ran at once. */
  progress?: Progress;
}

interface Progress {
  /** The index of the pass that goes on. */
  pass: number;
  /** The last id it has seen, or nothing. */
  after: string;
  /** Given to all passes so far. */
  documents: number;
}

/** Of the largest texts, a batch then has 100 MB in memory. */
export const documentsAtOnce = 100;
/** How far a batch looks for documents that match: a transaction must end, even if none of millions does. */
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
  constructor({ number, name }: { number: number; name: string }, progress: Progress | undefined, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(
      progress === undefined
        ? `migration ${number} (${name}) failed and changed nothing: ${reason}. Run the version before, and report this`
        : `migration ${number} (${name}) failed after ${progress.documents} documents: ${reason}. Report this: a repaired version goes on there. The way back is the backup of before`,
    );
    this.cause = cause;
  }
}

/** The checksum of number and name: the text of the passes differs between the source and every build of it. */
function checksum({ number, name }: { number: number; name: string }): string {
  return sha256(`${number}\0${name}`);
}

export const isDone = ({ progress }: MigrationRecord) => progress === undefined;
export const recordId = ({ number }: { number: number }) => String(number).padStart(6, "0");

type Numbered = readonly { readonly number: number }[];

/** The oldest schema whose data this program brings up to date. */
export const firstOf = (migrations: Numbered) => migrations[0]?.number ?? 1;
/** The schema of this program. */
export const latestOf = (migrations: Numbered) => migrations.at(-1)?.number ?? 0;
/** What an operator does with older data. */
const olderSchema = "start version 1.0.0-beta.1 on it first";

/** The last migration that is done. They run in order, so those before it are. */
export function schemaOf(records: readonly MigrationRecord[]): number {
  return Math.max(0, ...records.filter(isDone).map(({ number }) => number));
}

/** @param store any: every database has this collection beside those it declares */
export function migrationRecords(store: { collection(name: never): unknown }): Collection<MigrationRecord> {
  return store.collection(migrationsCollection as never) as Collection<MigrationRecord>;
}

/**
 * @param readsOnly a record that can't be read then counts as one of a migration that is done: its id says which one
 * @returns the records, including one that isn't finished
 * @throws SchemaError when the database is newer than this program, or was migrated by another history
 */
export async function checkMigrations<Collections>(
  database: Pick<Store<Collections>, "collection">,
  migrations: readonly Migration<Collections>[],
  { readsOnly = false } = {},
): Promise<MigrationRecord[]> {
  const first = firstOf(migrations);
  migrations.forEach(({ number }, index) => {
    if (number !== first + index)
      throw new SchemaError(`migration ${first + index} is missing: they are numbered without gaps`);
  });
  const stored = migrationRecords(database);
  const records = await stored.find({}, { sort: { _id: 1 } });
  // a damaged one is left out. One before others did run. The last one must not run again
  for (
    let number = (records.at(-1)?.number ?? first - 1) + 1;
    await isUnreadable(stored, number, readsOnly);
    number++
  ) {
    const name = migrations[number - first]?.name ?? "its record is damaged";
    records.push({ _id: recordId({ number }), number, name, checksum: checksum({ number, name }), at: "" });
  }
  const schema = schemaOf(records);
  if (records.length > 0 && schema < first)
    throw new SchemaError(`the database has schema ${schema}, this program reads those from ${first}: ${olderSchema}`);
  for (const done of records.filter(({ number }) => number >= first)) {
    const known = migrations[done.number - first];
    if (!known) throw new NewerSchemaError(done, latestOf(migrations));
    if (done.checksum !== checksum(known))
      throw new SchemaError(`migration ${done.number} ran as "${done.name}" and is "${known.name}" in this program`);
  }
  return records;
}

async function isUnreadable(stored: Collection<MigrationRecord>, number: number, readsOnly: boolean): Promise<boolean> {
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
  const schema = schemaOf(records);
  const due = migrations.filter(({ number }) => number > schema);
  if (due[0] && records.length > 0 && settleMs > 0) await announce(database, due[0], settleMs);
  for (const migration of due) {
    const started = performance.now();
    const documents = await runMigration(database, migration);
    if (documents === null || records.length === 0) continue;
    const { number, name } = migration;
    ended({ number, name, documents, ms: Math.round(performance.now() - started) });
  }
}

/** Servers of the version before see the record, and end their writes before the first document changes. */
async function announce<Collections>(
  database: Database<Collections>,
  migration: Migration<Collections>,
  settleMs: number,
): Promise<void> {
  const { number, name } = migration;
  const progress = { pass: 0, after: "", documents: 0 };
  const at = new Date().toISOString();
  const record = { _id: recordId(migration), number, name, checksum: checksum(migration), at, progress };
  await migrationRecords(database)
    .insertOne(record)
    .catch((error: unknown) => {
      // an earlier start, or another server
      if (!(error instanceof DuplicateKeyError)) throw error;
    });
  await delay(settleMs);
}

/** @returns how many documents it was given; null when another server has finished it */
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

/** @returns null when the migration is done already */
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
  // First the record: of two servers starting at once the second one waits or conflicts here
  if (record === null)
    await records
      .insertOne({
        _id,
        number,
        name,
        checksum: checksum(migration),
        at,
        ...(!isLast && { progress: next }),
      })
      .catch((error: unknown) => {
        // it is there, and can't be read
        if (error instanceof DuplicateKeyError)
          throw new SchemaError(`the record of migration ${number} is damaged: restore the last backup`);
        throw error;
      });
  else if (isLast) await records.updateOne({ _id }, { $set: { at }, $unset: { progress: "" } });
  else await records.updateOne({ _id }, { $set: { at, progress: next } });
  // the documents are of the pass's collection
  if (pass && found.length > 0) await pass.change(transaction, found as never);
  return { isLast, documents: next.documents };
}

interface Batch<Collections> {
  /** None: nothing is left. */
  pass: Pass<Collections> | undefined;
  found: readonly BaseDocument[];
  next: Progress;
}

/** Passes that find nothing end in the same batch: a start on an empty database is short. */
async function findBatch<Collections>(
  store: Store<Collections>,
  passes: readonly Pass<Collections>[],
  { pass: index, after, documents }: Progress,
): Promise<Batch<Collections>> {
  const pass = passes[index];
  if (pass === undefined) return { pass, found: [], next: { pass: index, after, documents } };
  const { found, last } = await findAfter(store, pass, after);
  if (last === null && found.length === 0) return findBatch(store, passes, { pass: index + 1, after: "", documents });
  const place = last === null ? { pass: index + 1, after: "" } : { pass: index, after: last };
  return { pass, found, next: { ...place, documents: documents + found.length } };
}

/** @returns the last id that was looked at, or null at the end of the collection */
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

/** A full disk, another server, a lost connection: nothing is wrong with the step. */
function isTemporary(error: unknown): boolean {
  const passing = [TransactionConflictError, DatabaseUnavailableError, StorageFullError];
  return passing.some((one) => error instanceof one);
}

/** Another server that starts now can run the same migration: as long as it makes progress, this one waits. */
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
