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

export { atPath } from "./query-types.ts";
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
  /** Names are joined by one `$in` query instead of `$lookup`. */
  aggregate<R = Record<string, unknown>>(pipeline: readonly Stage<T>[]): Promise<R[]>;
  bulkWrite(operations: readonly BulkOperation<T>[]): Promise<void>;
}

/** What a commit wrote, by collection. Null: any document may have changed. */
export type Written = ReadonlyMap<string, WrittenDocuments | null>;

export interface WrittenDocuments {
  ids: ReadonlySet<string>;
  /** The companies of the documents that were added. */
  companies: ReadonlySet<string>;
}

/** A source of collections: the database itself, a transaction, or one company's share of either. */
export interface Store<Collections> {
  collection<Name extends keyof Collections & string>(
    name: Name,
  ): Collection<Collections[Name] extends BaseDocument ? Collections[Name] : never>;
}

/**
 * One company's share: `companyId` is added to every filter and every insert, so a feature can't reach another tenant.
 * Collections without a `companyId` are refused here.
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
   * Runs `work` in one atomic transaction and resolves when it is durable. `work` awaits the database only, has no other
   * side effects (it may be retried) and uses the handle it is given, never the outer one.
   * @throws DuplicateKeyError, TransactionConflictError (after bounded retries), DatabaseUnavailableError, StorageFullError
   */
  transaction<T>(work: (transaction: Transaction<Collections>) => Promise<T>): Promise<T>;
  /**
   * Reads the database as it is at one moment, while others write: for backups. Writes through this store are refused.
   * MongoDB keeps a moment for `minSnapshotHistoryWindowInSeconds` (five minutes).
   */
  snapshot<T>(read: (moment: Store<Collections>) => Promise<T>): Promise<T>;
  /**
   * Calls back after a commit, by any server of this database, that wrote one of these collections. May coalesce, and may
   * call without need (when a connection was lost, say): look, don't count. @returns stop
   */
  watch(names: readonly (keyof Collections & string)[], changed: (written: Written) => void): () => void;
  /**
   * Creates what is missing of the declared collections and indexes, then runs the migrations not run yet.
   * @param ended called with each migration that this server finished. A new database has none
   */
  prepare(ended?: (migration: EndedMigration) => void): Promise<void>;
  /** Resolves when the data has a schema that a start would refuse, as of a newer version. From then on each write throws this error. */
  readonly outdated: Promise<Error>;
  /** Grows with every commit to one of these collections; null where commits of other servers are not known at once. */
  revision(names: readonly (keyof Collections & string)[]): number | null;
  /** The time on the database's clock, ISO 8601: the same for all servers of it. */
  now(): Promise<string>;
  /** Operations of this server that hold a connection, and those that wait for one. SQLite has one for writing. */
  load(): { running: number; waiting: number };
  /** Answers within a second or throws: for /readyz. */
  ping(): Promise<void>;
  /**
   * Damage in documents and in SQLite's file, one line each. MongoDB checks its pages itself. Slow: SQLite's runs in a
   * thread of its own.
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
  /** true: every document carries `companyId` and the collection is reachable through `forCompany` */
  tenant: boolean;
  /** A top-level field holding bytes (Uint8Array), stored apart: Binary on MongoDB, a blob column in SQLite. Left out unless projected by name. */
  binary?: keyof T & string;
  indexes: readonly IndexDeclaration<T>[];
  /** What each document has, once all migrations ran: another one is damaged. */
  shape?: AnyShape;
  /** Names of indexes that an earlier version declared: they are dropped where they still are, and not used again. */
  dropped?: readonly string[];
}

export type Declarations<Collections> = {
  readonly [Name in keyof Collections & string]: CollectionDeclaration<Collections[Name]>;
};

/** One step forward of the schema; runs once per database, in batches. Released ones stay as they are, unless one fails. */
export interface Migration<Collections> {
  /** 1, 2, 3 … without gaps. */
  number: number;
  name: string;
  /** One after the other. A stopped migration goes on in its pass, so a repaired one keeps their order. */
  passes: readonly Pass<Collections>[];
}

/** What a migration does to the documents of one collection. */
export type Pass<Collections> = {
  [Name in keyof Collections & string]: PassOver<Collections, Name>;
}[keyof Collections & string];

export interface PassOver<Collections, Name extends keyof Collections & string> {
  collection: Name;
  /** Default: all documents. Untyped, because older documents have other fields. */
  filter?: Untyped;
  /** Is given each document once, in the order of ids. A batch is a transaction, which may be retried. */
  change(
    transaction: Transaction<Collections>,
    documents: readonly (Collections[Name] extends BaseDocument ? Collections[Name] : never)[],
  ): Promise<void>;
}

export interface EndedMigration {
  number: number;
  name: string;
  /** Documents that it was given, in all starts. */
  documents: number;
  /** Since this start. */
  ms: number;
}

/** How a query was answered: for the test that fails on a full scan. */
export interface QueryRecord {
  collection: string;
  filter: Untyped;
  sort: Sort<Untyped> | undefined;
  /** false: every document of the collection was read */
  indexed: boolean;
  /** false: the sort needed a pass of its own over all that matched */
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

/** The database does not answer, or stopped to while it was asked: whether the last write happened is not known. */
export class DatabaseUnavailableError extends Error {
  constructor(cause?: unknown) {
    super("the database does not answer", { cause });
    this.name = "DatabaseUnavailableError";
  }
}

/** A stored document can't be read. Others can. */
export class DamagedDocumentError extends Error {
  constructor(collection: string, id: string) {
    super(damagedDocument(collection, id));
    this.name = "DamagedDocumentError";
  }
}

/** Nothing of a collection can be read: an answer without it would be wrong. */
export class LostCollectionError extends Error {
  readonly collection: string;
  constructor(collection: string) {
    super(lostCollection(collection));
    this.collection = collection;
    this.name = "LostCollectionError";
  }
}

/** As checks and logs name it. */
export function lostCollection(collection: string): string {
  return `the collection ${collection}: it can't be read`;
}

/** Does a line of a check name a whole collection? */
export const isOfCollection = (line: string): boolean => line.startsWith("the collection ");

/** In place of an id: the beginning of what names several documents whose ids can't be read. */
export const damagedRows = "in rows ";

/** As checks and logs name it. */
export function damagedDocument(collection: string, id: string): string {
  if (id.startsWith(damagedRows)) return `documents ${id} of ${collection}: they can't be read`;
  return `document ${id} of ${collection}: it can't be read`;
}

/** As checks name it. */
export function missingDocument(collection: string, id: string): string {
  return `document ${id} of ${collection} is missing`;
}

export class StorageFullError extends Error {
  /** As the file system says it. */
  readonly code = "ENOSPC";
  constructor(cause?: unknown) {
    super("no space left for the database", { cause });
    this.name = "StorageFullError";
  }
}
