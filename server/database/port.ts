/**
 * The storage port, in the vocabulary of the mongodb driver. It has two engines: `mongodb/` (the driver) and `sqlite/`
 * (the embedded default). Documents hold JSON types only: `_id` is a uuid v7 string, times are ISO 8601 strings.
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
  Steps,
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
  /** @throws DuplicateKeyError when a unique index refuses it */
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
  /** Runs a pipeline. To join names, query them with `$in`, because there is no `$lookup`. */
  aggregate<R = Record<string, unknown>>(pipeline: readonly Stage<T>[]): Promise<R[]>;
  bulkWrite(operations: readonly BulkOperation<T>[]): Promise<void>;
}

/** The documents that a commit wrote, by collection. Null: any document may have changed. */
export type CommitWrites = ReadonlyMap<string, WrittenDocuments | null>;

export interface WrittenDocuments {
  ids: ReadonlySet<string>;
  /** The companies of the documents that were added. */
  companies: ReadonlySet<string>;
}

/** A source of collections: the database itself, a transaction, or a company's share of either. */
export interface Store<Collections> {
  collection<Name extends keyof Collections & string>(
    name: Name,
  ): Collection<Collections[Name] extends BaseDocument ? Collections[Name] : never>;
}

/**
 * A company's share: `companyId` is added to every filter and every insert, so a feature can't reach another tenant.
 * Refuses collections without a `companyId`.
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
   * Reads the database at a single moment, while others write: for backups. Refuses writes through this store. MongoDB
   * can read a moment for `minSnapshotHistoryWindowInSeconds` (five minutes).
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
   * Resolves when the data has a schema that a start would refuse, such as that of a newer version. From then on, each
   * write throws this error.
   */
  readonly outdated: Promise<Error>;
  /**
   * A number that grows with every commit to one of these collections; null if commits of other servers are seen late.
   */
  revision(names: readonly (keyof Collections & string)[]): number | null;
  /** The time on the database's clock, ISO 8601: the same for all servers of the database. */
  now(): Promise<string>;
  /**
   * The operations of this server that have a connection, and those that wait for one. SQLite has a single connection
   * for writing.
   */
  load(): { running: number; waiting: number };
  /** Answers within a second or throws: for /readyz. */
  ping(): Promise<void>;
  /**
   * Damage in documents and in SQLite's file, a line each. MongoDB checks its pages itself. The check is slow: with
   * SQLite it runs in a thread of its own.
   */
  damage(): Promise<string[]>;
  close(): Promise<void>;
}

/** An index declaration, the same for both engines. A unique index over an optional field is declared partial. */
export interface IndexDeclaration<T = Untyped> {
  name: string;
  keys: Sort<T>;
  unique?: boolean;
  /** MongoDB's partialFilterExpression: `$exists: true`, equality and `$gt`-family only. */
  partial?: Filter<T>;
  /** The one key that holds an array of scalars (MongoDB's multikey): SQLite keeps its elements in a table of their own. */
  array?: Path<T>;
}

export interface CollectionDeclaration<T = Untyped> {
  /** True if every document has a `companyId`. The collection is then reachable through `forCompany`. */
  tenant: boolean;
  /** A top-level field holding bytes (Uint8Array), stored apart: Binary on MongoDB, a blob column in SQLite. Left out unless projected by name. */
  binary?: keyof T & string;
  indexes: readonly IndexDeclaration<T>[];
  /** The fields that each document has once all migrations ran. A document without this shape is damaged. */
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
 * A step forward of the schema. It runs once per database, in batches. Released migrations stay as they are, unless
 * they fail.
 */
export interface Migration<Collections> {
  /** 1, 2, 3 … without gaps. */
  number: number;
  name: string;
  /**
   * The passes, which run one after the other. A stopped migration continues in its pass, so a repaired migration keeps
   * their order.
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
  /** Gets each document once, in the order of ids. A batch is a transaction, which may be retried. */
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
  /** Milliseconds since this start. */
  ms: number;
}

/** The record of an answered query, for the test that fails on a full scan. */
export interface QueryRecord {
  collection: string;
  filter: Untyped;
  sort: Sort<Untyped> | undefined;
  /** False if the query read every document of the collection. */
  indexed: boolean;
  /** False if the sort needed a pass of its own over all matching documents. */
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

/** The database doesn't answer, or stopped answering during the operation. The last write may have happened. */
export class DatabaseUnavailableError extends Error {
  constructor(cause?: unknown) {
    super("the database does not answer", { cause });
    this.name = "DatabaseUnavailableError";
  }
}

/** A stored document can't be read, while other documents can. */
export class DamagedDocumentError extends Error {
  constructor(collection: string, id: string) {
    super(damagedDocument(collection, id));
    this.name = "DamagedDocumentError";
  }
}

/** No document of a collection can be read. An answer without the collection would be wrong. */
export class LostCollectionError extends Error {
  readonly collection: string;
  constructor(collection: string) {
    super(lostCollection(collection));
    this.collection = collection;
    this.name = "LostCollectionError";
  }
}

/** The text for checks and logs. */
export function lostCollection(collection: string): string {
  return `the collection ${collection}: it can't be read`;
}

/** Says whether a line of a check names a whole collection. */
export const isOfCollection = (line: string): boolean => line.startsWith("the collection ");

/** In place of an id: the beginning of what names several documents whose ids can't be read. */
export const damagedRows = "in rows ";

/** As checks and logs name it. */
export function damagedDocument(collection: string, id: string): string {
  if (id.startsWith(damagedRows)) return `documents ${id} of ${collection}: they can't be read`;
  return `document ${id} of ${collection}: it can't be read`;
}

/** What a line of `damagedDocument` names: an id, or rows whose ids can't be read. Undefined for another collection. */
export function damagedIdOf(line: string, collection: string): string | undefined {
  const [, id, name] = /^documents? (.+) of (\S+): /.exec(line) ?? [];
  return name === collection ? id : undefined;
}

/** The text for checks. */
export function missingDocument(collection: string, id: string): string {
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
