/**
 * The storage port, in the vocabulary of the mongodb driver. It has two engines: `mongodb/` (the driver) and `sqlite/`
 * (the embedded default). Documents hold JSON types only: `_id` is a uuid v7 string, times are ISO 8601 strings.
 */

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json | undefined };

export interface BaseDocument {
  _id: string;
}

/**
 * MongoDB query language with scalar operands: `$eq $ne $in $nin $gt $gte $lt $lte $exists $not $elemMatch $and $or $nor`.
 * `undefined` is refused, so that a forgotten value never widens a query. Proven equal on both engines by a property test.
 */
// oxlint-disable-next-line typescript/no-explicit-any -- a filter addresses nested paths that no type can name
export type Filter = Record<string, any>;
/** `$set $unset $inc $push $pull $addToSet $setOnInsert $min $max` on dotted paths; a wrong type refuses the whole write. */
// oxlint-disable-next-line typescript/no-explicit-any -- see Filter
export type Update = Record<string, any>;
export type Sort = Record<string, 1 | -1>;
/** Inclusion or exclusion of fields by name or dotted path, MongoDB's rules: all 1 or all 0, `_id` apart. */
export type Projection = Record<string, 0 | 1>;

export interface FindOptions {
  sort?: Sort;
  limit?: number;
  skip?: number;
  projection?: Projection;
}

export interface UpdateResult {
  matchedCount: number;
  modifiedCount: number;
  upsertedId: string | null;
}

export type BulkOperation<T> =
  | { insertOne: { document: T } }
  | { updateOne: { filter: Filter; update: Update; upsert?: boolean } }
  | { deleteOne: { filter: Filter } };

export interface Collection<T extends BaseDocument> {
  find(filter: Filter, options?: FindOptions): Promise<T[]>;
  findOne(filter: Filter, options?: Omit<FindOptions, "limit">): Promise<T | null>;
  /** @throws DuplicateKeyError when a unique index refuses it */
  insertOne(document: T): Promise<void>;
  insertMany(documents: readonly T[]): Promise<void>;
  updateOne(filter: Filter, update: Update, options?: { upsert?: boolean }): Promise<UpdateResult>;
  updateMany(filter: Filter, update: Update): Promise<UpdateResult>;
  findOneAndUpdate(
    filter: Filter,
    update: Update,
    options?: { returnDocument?: "before" | "after"; upsert?: boolean; sort?: Sort; projection?: Projection },
  ): Promise<T | null>;
  deleteOne(filter: Filter): Promise<number>;
  deleteMany(filter: Filter): Promise<number>;
  countDocuments(filter: Filter, options?: { limit?: number }): Promise<number>;
  /**
   * `$match $sort $limit $project $group $count` only: groups by one field with `$sum`, projections of 0 and 1. Names are joined
   * by one `$in` query instead of `$lookup`.
   */
  aggregate<R = Record<string, unknown>>(pipeline: readonly Record<string, unknown>[]): Promise<R[]>;
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
  /** Grows with every commit to one of these collections; null where commits of other servers are not known at once. */
  revision(names: readonly (keyof Collections & string)[]): number | null;
  /** The time on the database's clock, ISO 8601: the same for all servers of it. */
  now(): Promise<string>;
  /** Operations of this server that hold a connection, and those that wait for one. SQLite has one for writing. */
  load(): { running: number; waiting: number };
  /** Answers within a second or throws: for /readyz. */
  ping(): Promise<void>;
  /**
   * Damage in the engine's files and in documents, one line each. Empty on MongoDB, which checks its pages itself.
   * Slow, so it runs in a thread of its own.
   */
  damage(): Promise<string[]>;
  close(): Promise<void>;
}

/** An index declaration, the same for both engines. A unique index over an optional field is declared partial. */
export interface IndexDeclaration {
  name: string;
  keys: Record<string, 1 | -1>;
  unique?: boolean;
  /** MongoDB's partialFilterExpression: `$exists: true`, equality and `$gt`-family only. */
  partial?: Filter;
  /** The one key that holds an array of scalars (MongoDB's multikey): SQLite keeps its elements in a table of their own. */
  array?: string;
}

export interface CollectionDeclaration {
  /** true: every document carries `companyId` and the collection is reachable through `forCompany` */
  tenant: boolean;
  /** A top-level field holding bytes (Uint8Array), stored apart: Binary on MongoDB, a blob column in SQLite. Left out unless projected by name. */
  binary?: string;
  /** The collection's name in an earlier version: the engine renames it where it finds it. */
  formerly?: string;
  indexes: readonly IndexDeclaration[];
  /** Names of indexes that an earlier version declared: they are dropped where they still are, and not used again. */
  dropped?: readonly string[];
}

export type Declarations<Collections> = { readonly [Name in keyof Collections & string]: CollectionDeclaration };

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
  /** Default: all documents. */
  filter?: Filter;
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
  filter: Filter;
  sort: Sort | undefined;
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

export class StorageFullError extends Error {
  constructor(cause?: unknown) {
    super("no space left for the database", { cause });
    this.name = "StorageFullError";
  }
}
