/** Implements the port's collection with the driver's collection. With `session`, operations run in a transaction. */
// oxlint-disable-next-line no-restricted-imports -- the engine itself
import type { AnyBulkWriteOperation, ClientSession, Collection as DriverCollection } from "mongodb";
import { newId } from "#core/ids.ts";
import {
  assertStorableDocument,
  assertSupportedFilter,
  assertSupportedPipeline,
  assertSupportedUpdate,
  equalitiesInFilter,
  normalUpdate,
  withoutUndefined,
} from "../check-operation.ts";
import {
  type BaseDocument,
  type BulkOperation,
  type Collection,
  type FindOptions,
  type Sort,
  type Stage,
  type Untyped,
} from "../port.ts";
import type { Availability } from "./availability.ts";
import { translateErrors } from "./errors.ts";
import { readShapedDocuments, type CheckedCollection } from "./shapeless.ts";

export interface CollectionContext {
  session?: ClientSession;
  availability: Availability;
  /** Called before each write. Throws for a write outside of the open transaction. */
  beforeWrite(): void;
  /** Runs several writes as one: in the open transaction, or else in a new one. */
  together<T>(guardedWrite: (session: ClientSession) => Promise<T>): Promise<T>;
}

export function createMongoCollection<T extends BaseDocument>(
  inner: DriverCollection<BaseDocument>,
  kind: CheckedCollection,
  place: CollectionContext,
): Collection<T> {
  const { binary } = kind.declaration;
  const within = place.session ? { session: place.session } : {};
  const guardedRead = <R>(perform: () => Promise<R>): Promise<R> =>
    place.availability.guard(() => translateErrors(perform));
  const guardedWrite = <R>(perform: () => Promise<R>): Promise<R> =>
    guardedRead(async () => {
      place.beforeWrite();
      return perform();
    });
  const writeTogether = <R>(perform: (session: { session?: ClientSession }) => Promise<R>): Promise<R> =>
    guardedWrite(() => (place.session ? perform(within) : place.together((session) => perform({ session }))));
  const withPlainBytes = (document: unknown): T =>
    plainBytes(document as Record<string, unknown>, binary) as unknown as T;
  const projectionOption = (projection: Untyped | undefined) => {
    const fields = projectionWithoutBytes(projection, binary);
    return fields ? { projection: fields } : {};
  };
  /**
   * Returns the sort as a driver option. Without a sort the option is absent, because the driver's type doesn't allow
   * `undefined`.
   */
  const sortOption = (sort: Sort<Untyped> | undefined) => (sort ? { sort: sort as Record<string, 1 | -1> } : {});
  const findDocuments = (filter: Untyped, { projection, sort, ...options }: FindOptions<Untyped> = {}, isOne = false) =>
    guardedRead(async () => {
      const found = await readShapedDocuments(
        kind,
        checkedFilter(filter),
        { ...(projection && { projection }), isOne },
        (one) =>
          inner.find(one, { ...options, ...sortOption(sort), ...projectionOption(projection), ...within }).toArray(),
      );
      return found.map(withPlainBytes);
    });
  return {
    find: async (filter, options) => (options?.limit === 0 ? [] : findDocuments(filter, options)),
    findOne: async (filter, options) => (await findDocuments(filter, { ...options, limit: 1 }, true))[0] ?? null,
    insertOne: (document) =>
      guardedWrite(async () => void (await inner.insertOne(documentToStore(document, binary), within))),
    insertMany: async (documents) => {
      if (documents.length > 0)
        await writeTogether((session) =>
          inner.insertMany(
            documents.map((document) => documentToStore(document, binary)),
            session,
          ),
        );
    },
    updateOne: (filter, update, options) =>
      guardedWrite(async () => {
        const upsert = options?.upsert ?? false;
        const change = mongoUpdate(filter, update, upsert, binary);
        return mongoUpdateResult(await inner.updateOne(checkedFilter(filter), change, { upsert, ...within }));
      }),
    updateMany: (filter, update) =>
      guardedWrite(async () =>
        mongoUpdateResult(
          await inner.updateMany(checkedFilter(filter), mongoUpdate(filter, update, false, binary), within),
        ),
      ),
    findOneAndUpdate: (filter, update, { returnDocument = "before", upsert = false, sort, projection } = {}) =>
      guardedWrite(async () => {
        const options = { returnDocument, upsert, ...projectionOption(projection), ...sortOption(sort), ...within };
        const document = await inner.findOneAndUpdate(
          checkedFilter(filter),
          mongoUpdate(filter, update, upsert, binary),
          options,
        );
        return document === null ? null : withPlainBytes(document);
      }),
    deleteOne: (filter) =>
      guardedWrite(async () => (await inner.deleteOne(checkedFilter(filter), within)).deletedCount),
    deleteMany: (filter) =>
      guardedWrite(async () => (await inner.deleteMany(checkedFilter(filter), within)).deletedCount),
    countDocuments: (filter, options) =>
      guardedRead(() => inner.countDocuments(checkedFilter(filter), { ...options, ...within })),
    aggregate: <R>(pipeline: readonly Stage<T>[]) =>
      guardedRead(async () => {
        assertSupportedPipeline(pipeline);
        const withoutBytes = binary === undefined ? [...pipeline] : insertProjection(pipeline, binary);
        return (await inner.aggregate(withoutBytes, within).toArray()) as R[];
      }),
    bulkWrite: async (operations) => {
      if (operations.length > 0)
        await writeTogether((session) =>
          inner.bulkWrite(
            operations.map((operation) => driverOperation(operation, binary)),
            session,
          ),
        );
    },
  };
}

function checkedFilter(filter: Untyped): Untyped {
  assertSupportedFilter(filter);
  return filter;
}

function documentToStore<T extends BaseDocument>(document: T, binary: string | undefined): BaseDocument {
  assertStorableDocument(document, binary);
  return withoutUndefined(document);
}

/**
 * Returns the update for MongoDB. An upsert without `_id` gets an id, because MongoDB would create one that isn't a
 * string.
 */
function mongoUpdate(filter: Untyped, update: Untyped, upsert: boolean, binary: string | undefined): Untyped {
  assertSupportedUpdate(update, binary);
  const change = normalUpdate(update);
  const onInsert = change["$setOnInsert"] as Record<string, unknown> | undefined;
  if (upsert && equalitiesInFilter(filter)["_id"] === undefined && onInsert?.["_id"] === undefined)
    return { ...change, $setOnInsert: { ...onInsert, _id: newId() } };
  // MongoDB refuses an update without operators, and this operator changes nothing
  return Object.keys(change).length === 0 ? { $setOnInsert: {} } : change;
}

function mongoUpdateResult(result: { matchedCount: number; modifiedCount: number; upsertedId: unknown }) {
  const { matchedCount, modifiedCount, upsertedId } = result;
  return { matchedCount, modifiedCount, upsertedId: typeof upsertedId === "string" ? upsertedId : null };
}

function driverOperation<T extends BaseDocument>(
  operation: BulkOperation<T>,
  binary: string | undefined,
): AnyBulkWriteOperation<BaseDocument> {
  if ("insertOne" in operation)
    return { insertOne: { document: documentToStore(operation.insertOne.document, binary) } };
  if ("deleteOne" in operation) return { deleteOne: { filter: checkedFilter(operation.deleteOne.filter) } };
  const { filter, update, upsert = false } = operation.updateOne;
  return { updateOne: { filter: checkedFilter(filter), update: mongoUpdate(filter, update, upsert, binary), upsert } };
}

/** Returns the projection without bytes, unless the projection names them. */
function projectionWithoutBytes(projection: Untyped | undefined, binary: string | undefined): Untyped | undefined {
  if (binary === undefined) return projection;
  const including = Object.entries(projection ?? {}).some(([name, value]) => value === 1 && name !== "_id");
  return including || projection?.["_id"] === 1 ? projection : { ...projection, [binary]: 0 };
}

function plainBytes(document: Record<string, unknown>, binary: string | undefined): Record<string, unknown> {
  const bytes = binary === undefined ? undefined : document[binary];
  return binary !== undefined && bytes instanceof Uint8Array
    ? { ...document, [binary]: new Uint8Array(bytes) }
    : document;
}

function insertProjection(pipeline: readonly Untyped[], binary: string): Record<string, unknown>[] {
  const at = pipeline[0] && "$match" in pipeline[0] ? 1 : 0;
  return [...pipeline.slice(0, at), { $project: { [binary]: 0 } }, ...pipeline.slice(at)];
}
