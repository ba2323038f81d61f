/**
 * Defines the storage port, in the vocabulary of the mongodb driver. Two engines implement it: `mongodb/` (the driver)
 * and `sqlite/` (the embedded default). Documents contain JSON types only: `_id` is a uuid v7 string, times are ISO
 * 8601 strings.
 */

import type {
  Filter,
  KnownFilter,
  KnownUpdate,
  Path,
  Projection,
  Sort,
  Stage,
  Untyped,
  Update,
} from "./query-types.ts";

export { fieldAtPath as atPath } from "./query-types.ts";
export type {
  CheckedFilter,
  Condition,
  Filter,
  Path,
  Projection,
  Sort,
  Stage,
  Increments,
  Untyped,
  Update,
  Values,
} from "./query-types.ts";
import type { AnyShape } from "./shape.ts";

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json | undefined };

export interface BaseDocument {
  _id: string;
}

export interface FindOptions<T> {
  sort?: Sort<T>;
  limit?: number;
  skip?: number;
  projection?: Projection<T>;
}

export interface UpdateResult {
  matchedCount: number;
  modifiedCount: number;
  upsertedId: string | null;
}

export type BulkOperation<T> =
  | { insertOne: { document: T } }
  | { updateOne: { filter: Filter<T>; update: Update<T>; upsert?: boolean } }
  | { deleteOne: { filter: Filter<T> } };

export interface Collection<T extends BaseDocument> {
  find<F extends Filter<T>>(filter: KnownFilter<F, T>, options?: FindOptions<T>): Promise<T[]>;
  findOne<F extends Filter<T>>(filter: KnownFilter<F, T>, options?: Omit<FindOptions<T>, "limit">): Promise<T | null>;
  /** Inserts a document. @throws DuplicateKeyError when a unique index refuses the document */
  insertOne(document: T): Promise<void>;
  insertMany(documents: readonly T[]): Promise<void>;
  updateOne<F extends Filter<T>, U extends Update<T>>(
    filter: KnownFilter<F, T>,
    update: KnownUpdate<U, T>,
    options?: { upsert?: boolean },
  ): Promise<UpdateResult>;
  updateMany<F extends Filter<T>, U extends Update<T>>(
    filter: KnownFilter<F, T>,
    update: KnownUpdate<U, T>,
  ): Promise<UpdateResult>;
  findOneAndUpdate<F extends Filter<T>, U extends Update<T>>(
    filter: KnownFilter<F, T>,
    update: KnownUpdate<U, T>,
    options?: { returnDocument?: "before" | "after"; upsert?: boolean; sort?: Sort<T>; projection?: Projection<T> },
  ): Promise<T | null>;
  deleteOne<F extends Filter<T>>(filter: KnownFilter<F, T>): Promise<number>;
  deleteMany<F extends Filter<T>>(filter: KnownFilter<F, T>): Promise<number>;
  countDocuments<F extends Filter<T>>(filter: KnownFilter<F, T>, options?: { limit?: number }): Promise<number>;
  /** Runs a pipeline. `$lookup` isn't supported: to join documents, query them with `$in`. */
  aggregate<R = Record<string, unknown>>(pipeline: readonly Stage<T>[]): Promise<R[]>;
  bulkWrite(operations: readonly BulkOperation<T>[]): Promise<void>;
}

/** The documents that a commit wrote, by collection. Null means that any document may have changed. */
export type CommitWrites = ReadonlyMap<string, WrittenDocuments | null>;

export interface WrittenDocuments {
  ids: ReadonlySet<string>;
  /** The ids of the companies of the added documents. */
  companies: ReadonlySet<string>;
}

/** A source of collections: the database itself, a transaction, or a company's share of either. */
export interface Store<Collections> {
  collection<Name extends keyof Collections & string>(
    name: Name,
  ): Collection<Collections[Name] extends BaseDocument ? Collections[Name] : never>;
}

/**
 * A store limited to one company. It adds `companyId` to every filter and every insert, so that a feature can't reach
 * another company. It refuses collections without a `companyId`.
 */
export interface CompanyStore<Collections> extends Store<Collections> {
  readonly companyId: string;
}

export interface Transaction<Collections> extends Store<Collections> {
  forCompany(companyId: string): CompanyStore<Collections>;
}

export interface Database<Collections> extends Transaction<Collections> {
  readonly engine: "mongodb" | "sqlite";
  /**
   * Runs `work` in one atomic transaction and resolves when it is durable. `work` awaits the database only, has no
   * other side effects (it may be retried) and uses only the handle that it gets.
   * @throws DuplicateKeyError, TransactionConflictError (after bounded retries), DatabaseUnavailableError,
   * StorageFullError
   */
  transaction<T>(work: (transaction: Transaction<Collections>) => Promise<T>): Promise<T>;
  /**
   * Reads the database as it is at a single moment, while others write; used for backups. The store refuses writes.
   * MongoDB can read a moment for `minSnapshotHistoryWindowInSeconds` (five minutes).
   */
  snapshot<T>(read: (moment: Store<Collections>) => Promise<T>): Promise<T>;
  /**
   * Calls back after any server of this database committed a write to one of these collections. Calls may be merged,
   * and may come without a write (after a lost connection, say), so callers must query and not count.
   * @returns a function that stops watching
   */
  watch(names: readonly (keyof Collections & string)[], changed: (written: CommitWrites) => void): () => void;
  /**
   * Creates missing collections and indexes of the declarations, then runs the pending migrations.
   * @param ended called with each migration that this server finished, but not for a new database
   */
  prepare(ended?: (migration: EndedMigration) => void): Promise<void>;
  /**
   * Resolves when the data has a schema that this program can't start on, such as that of a newer version. From then
   * on, each write throws this error.
   */
  readonly outdated: Promise<Error>;
  /**
   * Returns a number that grows with every commit to one of these collections; null if this server can't see commits of
   * other servers at once.
   */
  revision(names: readonly (keyof Collections & string)[]): number | null;
  /** The time on the database's clock, ISO 8601: the same for all servers of the database. */
  now(): Promise<string>;
  /**
   * Returns the number of this server's operations that have a connection, and of those that wait for one. SQLite has a
   * single connection for writing.
   */
  load(): { running: number; waiting: number };
  /** Checks within a second that the database answers, for /readyz. @throws if it doesn't */
  ping(): Promise<void>;
  /**
   * Finds damage in documents and in SQLite's file, a line each. The writer of SQLite also rebuilds damaged indexes and
   * derived tables. MongoDB checks its pages itself. The check is slow; with SQLite, the check runs in a thread.
   */
  damage(): Promise<string[]>;
  close(): Promise<void>;
}

/** An index, the same for both engines. A unique index over an optional field must be partial. */
export interface IndexDeclaration<T = Untyped> {
  name: string;
  keys: Sort<T>;
  unique?: boolean;
  /** MongoDB's partialFilterExpression: only `$exists: true`, equality, and `$gt` and the like. */
  partial?: Filter<T>;
  /** The only key that is an array of scalars (MongoDB's multikey). SQLite stores its elements in a separate table. */
  array?: Path<T>;
}

export interface CollectionDeclaration<T = Untyped> {
  /** True if every document has a `companyId`. `forCompany` then gives access to the collection. */
  tenant: boolean;
  /**
   * A top-level field with bytes (Uint8Array). Reads leave it out unless the projection names it. MongoDB stores it as
   * Binary, SQLite in a blob column.
   */
  binary?: keyof T & string;
  indexes: readonly IndexDeclaration<T>[];
  /** The fields that each document has once all migrations have run. A document without them is damaged. */
  shape?: AnyShape;
  /**
   * Names of indexes that an earlier version declared. They are dropped if they still exist, and the names aren't used
   * again.
   */
  dropped?: readonly string[];
}

export type Declarations<Collections> = {
  readonly [Name in keyof Collections & string]: CollectionDeclaration<Collections[Name]>;
};

/**
 * A migration of the schema. It runs once per database, in batches. A released migration is never changed, unless it
 * fails.
 */
export interface Migration<Collections> {
  /** 1, 2, 3 … without gaps. */
  number: number;
  name: string;
  /**
   * The passes, which run one after the other. A migration continues in the same pass after a stop, so a corrected
   * migration must keep their order.
   */
  passes: readonly MigrationPass<Collections>[];
}

/** The changes of a migration to the documents of a collection. */
export type MigrationPass<Collections> = {
  [Name in keyof Collections & string]: PassOver<Collections, Name>;
}[keyof Collections & string];

export interface PassOver<Collections, Name extends keyof Collections & string> {
  collection: Name;
  /** Default: all documents. Untyped, because older documents have other fields. */
  filter?: Untyped;
  /** Changes the documents of a batch, in the order of ids. The batch is a transaction and may be retried. */
  change(
    transaction: Transaction<Collections>,
    documents: readonly (Collections[Name] extends BaseDocument ? Collections[Name] : never)[],
  ): Promise<void>;
}

export interface EndedMigration {
  number: number;
  name: string;
  /** The number of documents that the migration processed, in all starts. */
  documents: number;
  /** Milliseconds since the migration began on this server. */
  ms: number;
}

/** The record of a query, for the test that fails on a full scan. */
export interface QueryRecord {
  collection: string;
  filter: Untyped;
  sort: Sort<Untyped> | undefined;
  /** False if the query read every document of the collection instead of using an index. */
  indexed: boolean;
  /** False if all matching documents were read and then sorted. */
  sortedByIndex: boolean;
  detail: string;
}

export class DuplicateKeyError extends Error {
  readonly index: string;
  constructor(index: string) {
    super(`duplicate key in ${index}`);
    this.name = "DuplicateKeyError";
    this.index = index;
  }
}

export class TransactionConflictError extends Error {
  constructor() {
    super("the transaction met too many conflicts");
    this.name = "TransactionConflictError";
  }
}

/** The database doesn't answer, or stopped answering during the operation. The last write may have succeeded. */
export class DatabaseUnavailableError extends Error {
  constructor(cause?: unknown) {
    super("the database does not answer", { cause });
    this.name = "DatabaseUnavailableError";
  }
}

/** A stored document can't be read, although others can. */
export class DamagedDocumentError extends Error {
  constructor(collection: string, id: string) {
    super(damagedDocumentText(collection, id));
    this.name = "DamagedDocumentError";
  }
}

/** No document of a collection can be read. An answer without them would be wrong. */
export class LostCollectionError extends Error {
  readonly collection: string;
  constructor(collection: string) {
    super(lostCollectionText(collection));
    this.collection = collection;
    this.name = "LostCollectionError";
  }
}

/** Returns the text for checks and logs about an unreadable collection. */
export function lostCollectionText(collection: string): string {
  return `the collection ${collection}: it can't be read`;
}

/** Says whether a check's line is about a whole collection. */
export const isAboutCollection = (line: string): boolean => line.startsWith("the collection ");

/** The start of the text that stands for several documents whose ids can't be read. */
export const damagedRowsPrefix = "in rows ";

/** Returns the text for checks and logs about a damaged document. */
export function damagedDocumentText(collection: string, id: string): string {
  if (id.startsWith(damagedRowsPrefix)) return `documents ${id} of ${collection}: they can't be read`;
  return `document ${id} of ${collection}: it can't be read`;
}

/**
 * Returns what a line of `damagedDocumentText` names: an id, or rows whose ids can't be read. Undefined for another
 * collection.
 */
export function damagedIdOf(line: string, collection: string): string | undefined {
  const [, id, name] = /^documents? (.+) of (\S+): /.exec(line) ?? [];
  return name === collection ? id : undefined;
}

/** Returns the text for checks about a missing document. */
export function missingDocumentText(collection: string, id: string): string {
  return `document ${id} of ${collection} is missing`;
}

export class StorageFullError extends Error {
  /** The file system's code for a full disk. */
  readonly code = "ENOSPC";
  constructor(cause?: unknown) {
    super("no space left for the database", { cause });
    this.name = "StorageFullError";
  }
}
