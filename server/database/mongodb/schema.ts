/**
 * Creates missing collections and indexes of the declarations, and drops indexes that the declarations name as dropped.
 */
// oxlint-disable-next-line no-restricted-imports -- the engine itself
import { type CreateIndexesOptions, type Db, MongoServerError } from "mongodb";
import type { CollectionDeclaration, IndexDeclaration } from "../port.ts";

const NAMESPACE_EXISTS = 48;
const INDEX_NOT_FOUND = 27;

export async function createSchema(database: Db, declarations: Record<string, CollectionDeclaration>): Promise<void> {
  const existing = new Set((await database.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name));
  for (const [name, { indexes, dropped = [] }] of Object.entries(declarations)) {
    if (!existing.has(name)) await createCollection(database, name);
    const left = dropped.length === 0 ? [] : await database.collection(name).indexes();
    for (const index of left)
      if (dropped.includes(index.name ?? "")) await dropMongoIndex(database, name, index.name ?? "");
    for (const index of indexes)
      await database.collection(name).createIndex(mongoIndexKeys(index), indexOptions(index));
  }
}

/** Returns the keys of an index. The driver's type doesn't allow `undefined`. */
function mongoIndexKeys({ keys }: IndexDeclaration): Record<string, 1 | -1> {
  return keys as Record<string, 1 | -1>;
}

/** Creates a collection. Ignores that another server which starts at the same time has created it. */
async function createCollection(database: Db, name: string): Promise<void> {
  try {
    await database.createCollection(name);
  } catch (error) {
    if (!(error instanceof MongoServerError && error.code === NAMESPACE_EXISTS)) throw error;
  }
}

/** Drops an index. Ignores that another server has dropped it at the same time. */
async function dropMongoIndex(database: Db, collection: string, name: string): Promise<void> {
  try {
    await database.collection(collection).dropIndex(name);
  } catch (error) {
    if (!(error instanceof MongoServerError && error.code === INDEX_NOT_FOUND)) throw error;
  }
}

function indexOptions({ name, unique, partial }: IndexDeclaration): CreateIndexesOptions {
  return { name, ...(unique ? { unique } : {}), ...(partial ? { partialFilterExpression: partial } : {}) };
}
