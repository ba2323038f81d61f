/** Implements the port's collection with one SQLite table. The caller provides access for reading and writing. */
import { assertSupportedUpdate, normalUpdate } from "../check-operation.ts";
import { TransactionConflictError } from "../port.ts";
import type {
  BaseDocument,
  BulkOperation,
  Collection,
  Untyped,
  FindOptions,
  Projection,
  Sort,
  UpdateResult,
} from "../port.ts";
import { aggregate } from "./aggregate.ts";
import { documentToInsert } from "./apply-update.ts";
import { isCorrupt } from "./errors.ts";
import { countDocumentsIn, findRows, findFirst, type FoundRow } from "./find.ts";
import { isTableLost, lostTableError } from "./lost-table.ts";
import { projectShared } from "./projection.ts";
import { loadRow, readUnlessDamaged, type Session, type WriteSession } from "./session.ts";
import type { SqliteTable } from "./table.ts";
import { insertRow, deleteRow, updateRow } from "./write.ts";

export interface TableAccess {
  read<T>(perform: (session: Session) => T): Promise<T>;
  write<T>(perform: (session: WriteSession) => T): Promise<T>;
}

export function createSqliteCollection<T extends BaseDocument>(table: SqliteTable, access: TableAccess): Collection<T> {
  const read: TableAccess["read"] = (perform) =>
    access.read((session) => {
      try {
        return perform(session);
      } catch (error) {
        // a read-only connection gets the original error, so that a check or backup can continue with other documents
        throw session.cached && isCorrupt(error) ? lostTableError(table) : error;
      }
    });
  const write: TableAccess["write"] = (perform) =>
    access.write((session) => {
      try {
        return perform(session);
      } catch (error) {
        if (!isCorrupt(error)) throw error;
        // the index is being rebuilt, so ask the caller to try again
        if (!isTableLost(table, session.connection) && table.damaged.startIndexRebuild())
          throw new TransactionConflictError();
        throw lostTableError(table);
      }
    });
  return {
    find: (filter, options) => read((session) => findProjected<T>(table, session, filter, options)),
    findOne: (filter, options) =>
      read((session) => {
        const found = findFirst(table, session, filter, options);
        return found ? (projectWithBytes(table, session, found, options?.projection) as unknown as T) : null;
      }),
    insertOne: (document) => write((session) => insertRow(table, session, document)),
    insertMany: async (documents) => {
      if (documents.length > 0)
        await write((session) => {
          for (const document of documents) insertRow(table, session, document);
        });
    },
    updateOne: (filter, change, options) =>
      write((session) => updateFirst(table, session, filter, change, options?.upsert ?? false).result),
    updateMany: (filter, change) => write((session) => updateAll(table, session, filter, change)),
    findOneAndUpdate: (filter, change, options = {}) =>
      write((session) => {
        const done = updateFirst(table, session, filter, change, options.upsert ?? false, options.sort);
        const shown = options.returnDocument === "after" ? done.after() : done.before;
        return shown ? (projectWithBytes(table, session, shown, options.projection) as unknown as T) : null;
      }),
    deleteOne: (filter) => write((session) => removeFirst(table, session, filter)),
    deleteMany: (filter) => write((session) => removeFound(table, session, findRows(table, session, filter))),
    countDocuments: (filter, options) => read((session) => countDocumentsIn(table, session, filter, options?.limit)),
    aggregate: <R>(pipeline: readonly Record<string, unknown>[]) =>
      read((session) => aggregate(table, session, pipeline) as R[]),
    bulkWrite: async (operations) => {
      if (operations.length > 0)
        await write((session) => {
          for (const operation of operations) performBulkOperation(table, session, operation);
        });
    },
  };
}

function performBulkOperation<T extends BaseDocument>(
  table: SqliteTable,
  session: WriteSession,
  operation: BulkOperation<T>,
): void {
  if ("insertOne" in operation) insertRow(table, session, operation.insertOne.document);
  else if ("deleteOne" in operation) removeFirst(table, session, operation.deleteOne.filter);
  else {
    const { filter, update: change, upsert } = operation.updateOne;
    updateFirst(table, session, filter, change, upsert ?? false);
  }
}

function findProjected<T>(
  table: SqliteTable,
  session: Session,
  filter: Untyped,
  options: FindOptions<Untyped> = {},
): T[] {
  return findRows(table, session, filter, options).flatMap((found) => {
    const shown = readUnlessDamaged(() => projectWithBytes(table, session, found, options.projection));
    return shown === undefined ? [] : [shown as T];
  });
}

function projectWithBytes(
  table: SqliteTable,
  session: Session,
  { row, document }: FoundRow,
  projection: Projection<Untyped> | undefined,
): object {
  const shown = projectShared(document, projection);
  if (table.binary === undefined || projection?.[table.binary] !== 1) return shown;
  const bytes = readBinaryField(table, session, row, document._id);
  return bytes instanceof Uint8Array ? { ...shown, [table.binary]: bytes } : shown;
}

/** Reads the bytes of a document. @throws DamagedDocumentError */
function readBinaryField(table: SqliteTable, session: Session, row: number, id: string): unknown {
  try {
    return session.connection.get(`SELECT bytes FROM ${table.sqlName} WHERE row = ?`, row)?.["bytes"];
  } catch (error) {
    if (!isCorrupt(error)) throw error;
    throw table.damaged.add(row, id);
  }
}

interface UpdatedFirst {
  result: UpdateResult;
  before: FoundRow | undefined;
  after(): FoundRow | undefined;
}

function updateFirst(
  table: SqliteTable,
  session: WriteSession,
  filter: Untyped,
  change: Untyped,
  upsert: boolean,
  sort?: Sort<Untyped>,
): UpdatedFirst {
  assertSupportedUpdate(change, table.binary);
  const before = findFirst(table, session, filter, sort ? { sort } : {});
  if (before) {
    const modifiedCount = Number(updateRow(table, session, before.row, change));
    const loadAfterUpdate = (): FoundRow | undefined => {
      const document = loadRow(table, session, before.row, false);
      return document && { row: before.row, document };
    };
    return { result: { matchedCount: 1, modifiedCount, upsertedId: null }, before, after: loadAfterUpdate };
  }
  const unmatched = { matchedCount: 0, modifiedCount: 0, upsertedId: null };
  if (!upsert) return { result: unmatched, before, after: () => undefined };
  const document = documentToInsert(filter, normalUpdate(change));
  const id = document["_id"] as string;
  insertRow(table, session, document);
  return { result: { ...unmatched, upsertedId: id }, before, after: () => findRows(table, session, { _id: id })[0] };
}

function updateAll(table: SqliteTable, session: WriteSession, filter: Untyped, change: Untyped): UpdateResult {
  assertSupportedUpdate(change, table.binary);
  const found = findRows(table, session, filter);
  let modifiedCount = 0;
  for (const { row } of found) modifiedCount += Number(updateRow(table, session, row, change));
  return { matchedCount: found.length, modifiedCount, upsertedId: null };
}

function removeFirst(table: SqliteTable, session: WriteSession, filter: Untyped): number {
  const found = findFirst(table, session, filter);
  return removeFound(table, session, found ? [found] : []);
}

function removeFound(table: SqliteTable, session: WriteSession, found: readonly FoundRow[]): number {
  for (const { row, document } of found) deleteRow(table, session, row, document);
  return found.length;
}
