/** The port's collection over one table. The caller provides reading and writing. */
import { checkUpdate, normalUpdate } from "../check-operation.ts";
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
import { upserted } from "./apply-update.ts";
import { isCorrupt } from "./errors.ts";
import { count, find, findFirst, type Found } from "./find.ts";
import { isLost, lostError } from "./lost-table.ts";
import { projectShared } from "./projection.ts";
import { load, readable, type Session, type WriteSession } from "./session.ts";
import type { Table } from "./table.ts";
import { insert, remove, update } from "./write.ts";

export interface TableAccess {
  read<T>(perform: (session: Session) => T): Promise<T>;
  write<T>(perform: (session: WriteSession) => T): Promise<T>;
}

export function collectionOf<T extends BaseDocument>(table: Table, access: TableAccess): Collection<T> {
  const read: TableAccess["read"] = (perform) =>
    access.read((session) => {
      try {
        return perform(session);
      } catch (error) {
        // a reader beside the server gets the original error, so that it can read the rest
        throw session.cached && isCorrupt(error) ? lostError(table) : error;
      }
    });
  const write: TableAccess["write"] = (perform) =>
    access.write((session) => {
      try {
        return perform(session);
      } catch (error) {
        if (!isCorrupt(error)) throw error;
        // the caller's next try finds a rebuilt index
        if (!isLost(table, session.connection) && table.damaged.addIndex()) throw new TransactionConflictError();
        throw lostError(table);
      }
    });
  return {
    find: (filter, options) => read((session) => findShown<T>(table, session, filter, options)),
    findOne: (filter, options) =>
      read((session) => {
        const found = findFirst(table, session, filter, options);
        return found ? (show(table, session, found, options?.projection) as unknown as T) : null;
      }),
    insertOne: (document) => write((session) => insert(table, session, document)),
    insertMany: async (documents) => {
      if (documents.length > 0)
        await write((session) => {
          for (const document of documents) insert(table, session, document);
        });
    },
    updateOne: (filter, change, options) =>
      write((session) => updateFirst(table, session, filter, change, options?.upsert ?? false).result),
    updateMany: (filter, change) => write((session) => updateAll(table, session, filter, change)),
    findOneAndUpdate: (filter, change, options = {}) =>
      write((session) => {
        const done = updateFirst(table, session, filter, change, options.upsert ?? false, options.sort);
        const shown = options.returnDocument === "after" ? done.after() : done.before;
        return shown ? (show(table, session, shown, options.projection) as unknown as T) : null;
      }),
    deleteOne: (filter) => write((session) => removeFirst(table, session, filter)),
    deleteMany: (filter) => write((session) => removeFound(table, session, find(table, session, filter))),
    countDocuments: (filter, options) => read((session) => count(table, session, filter, options?.limit)),
    aggregate: <R>(pipeline: readonly Record<string, unknown>[]) =>
      read((session) => aggregate(table, session, pipeline) as R[]),
    bulkWrite: async (operations) => {
      if (operations.length > 0)
        await write((session) => {
          for (const operation of operations) perform(table, session, operation);
        });
    },
  };
}

function perform<T extends BaseDocument>(table: Table, session: WriteSession, operation: BulkOperation<T>): void {
  if ("insertOne" in operation) insert(table, session, operation.insertOne.document);
  else if ("deleteOne" in operation) removeFirst(table, session, operation.deleteOne.filter);
  else {
    const { filter, update: change, upsert } = operation.updateOne;
    updateFirst(table, session, filter, change, upsert ?? false);
  }
}

function findShown<T>(table: Table, session: Session, filter: Untyped, options: FindOptions<Untyped> = {}): T[] {
  return find(table, session, filter, options).flatMap((found) => {
    const shown = readable(() => show(table, session, found, options.projection));
    return shown === undefined ? [] : [shown as T];
  });
}

function show(
  table: Table,
  session: Session,
  { row, document }: Found,
  projection: Projection<Untyped> | undefined,
): object {
  const shown = projectShared(document, projection);
  if (table.binary === undefined || projection?.[table.binary] !== 1) return shown;
  const bytes = bytesOf(table, session, row, document._id);
  return bytes instanceof Uint8Array ? { ...shown, [table.binary]: bytes } : shown;
}

/** @throws DamagedDocumentError */
function bytesOf(table: Table, session: Session, row: number, id: string): unknown {
  try {
    return session.connection.get(`SELECT bytes FROM ${table.sqlName} WHERE row = ?`, row)?.["bytes"];
  } catch (error) {
    if (!isCorrupt(error)) throw error;
    throw table.damaged.add(row, id);
  }
}

interface UpdatedFirst {
  result: UpdateResult;
  before: Found | undefined;
  after(): Found | undefined;
}

function updateFirst(
  table: Table,
  session: WriteSession,
  filter: Untyped,
  change: Untyped,
  upsert: boolean,
  sort?: Sort<Untyped>,
): UpdatedFirst {
  checkUpdate(change, table.binary);
  const before = findFirst(table, session, filter, sort ? { sort } : {});
  if (before) {
    const modifiedCount = Number(update(table, session, before.row, change));
    const after = (): Found | undefined => {
      const document = load(table, session, before.row, false);
      return document && { row: before.row, document };
    };
    return { result: { matchedCount: 1, modifiedCount, upsertedId: null }, before, after };
  }
  const unmatched = { matchedCount: 0, modifiedCount: 0, upsertedId: null };
  if (!upsert) return { result: unmatched, before, after: () => undefined };
  const document = upserted(filter, normalUpdate(change));
  const id = document["_id"] as string;
  insert(table, session, document);
  return { result: { ...unmatched, upsertedId: id }, before, after: () => find(table, session, { _id: id })[0] };
}

function updateAll(table: Table, session: WriteSession, filter: Untyped, change: Untyped): UpdateResult {
  checkUpdate(change, table.binary);
  const found = find(table, session, filter);
  let modifiedCount = 0;
  for (const { row } of found) modifiedCount += Number(update(table, session, row, change));
  return { matchedCount: found.length, modifiedCount, upsertedId: null };
}

function removeFirst(table: Table, session: WriteSession, filter: Untyped): number {
  const found = findFirst(table, session, filter);
  return removeFound(table, session, found ? [found] : []);
}

function removeFound(table: Table, session: WriteSession, found: readonly Found[]): number {
  for (const { row, document } of found) remove(table, session, row, document);
  return found.length;
}
