/** Limits a store to one company: adds the company's id to every filter and document (`ARCHITECTURE.md`, Storage). */
import { assertSupportedFilter, isPlainObject, UnsupportedOperationError } from "./check-operation.ts";
import type {
  BaseDocument,
  BulkOperation,
  CheckedFilter,
  Collection,
  CompanyStore,
  Declarations,
  Filter,
  Stage,
  Store,
  Untyped,
  Update,
} from "./port.ts";

export class CompanyScopeError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "CompanyScopeError";
  }
}

export function createCompanyStore<Collections>(
  store: Store<Collections>,
  declarations: Declarations<Collections>,
  companyId: string,
): CompanyStore<Collections> {
  if (typeof companyId !== "string" || companyId === "") throw new CompanyScopeError("a company's share needs its id");
  return {
    companyId,
    collection(name) {
      if (declarations[name]?.tenant !== true) throw new CompanyScopeError(`${name} does not belong to companies`);
      return createScopedCollection(store.collection(name), companyId);
    },
  };
}

function createScopedCollection<T extends BaseDocument>(inner: Collection<T>, companyId: string): Collection<T> {
  const scopedFilter = (filter: Filter<T>): CheckedFilter<T> => {
    assertSupportedFilter(filter);
    assertNoForeignFilter(filter, companyId);
    return { ...filter, companyId } as CheckedFilter<T>;
  };
  const scopedDocument = (document: T): T => {
    const named = (document as T & { companyId?: unknown }).companyId;
    if (named !== undefined && named !== companyId) throw new CompanyScopeError("the document names another company");
    return { ...document, companyId };
  };
  const checkedUpdate = (update: Update<T>): Update<T> => {
    assertNoForeignUpdate(update, companyId);
    return update;
  };
  return {
    find: async (filter, options) => inner.find(scopedFilter(filter), options),
    findOne: async (filter, options) => inner.findOne(scopedFilter(filter), options),
    insertOne: async (document) => inner.insertOne(scopedDocument(document)),
    insertMany: async (documents) => inner.insertMany(documents.map(scopedDocument)),
    updateOne: async (filter, update, options) => inner.updateOne(scopedFilter(filter), checkedUpdate(update), options),
    updateMany: async (filter, update) => inner.updateMany(scopedFilter(filter), checkedUpdate(update)),
    findOneAndUpdate: async (filter, update, options) =>
      inner.findOneAndUpdate(scopedFilter(filter), checkedUpdate(update), options),
    deleteOne: async (filter) => inner.deleteOne(scopedFilter(filter)),
    deleteMany: async (filter) => inner.deleteMany(scopedFilter(filter)),
    countDocuments: async (filter, options) => inner.countDocuments(scopedFilter(filter), options),
    aggregate: async (pipeline) => inner.aggregate(scopedPipeline(pipeline, scopedFilter)),
    bulkWrite: async (operations) =>
      inner.bulkWrite(
        operations.map((operation) => scopedOperation(operation, scopedFilter, scopedDocument, checkedUpdate)),
      ),
  };
}

function scopedOperation<T extends BaseDocument>(
  operation: BulkOperation<T>,
  within: (filter: Filter<T>) => Filter<T>,
  owned: (document: T) => T,
  kept: (update: Update<T>) => Update<T>,
): BulkOperation<T> {
  if ("insertOne" in operation) return { insertOne: { document: owned(operation.insertOne.document) } };
  if ("deleteOne" in operation) return { deleteOne: { filter: within(operation.deleteOne.filter) } };
  const { filter, update, ...rest } = operation.updateOne;
  return { updateOne: { filter: within(filter), update: kept(update), ...rest } };
}

function scopedPipeline<T>(
  pipeline: readonly Stage<T>[],
  within: (filter: Filter<T>) => Filter<T>,
): readonly Stage<T>[] {
  const [first, ...rest] = pipeline;
  if (first && "$match" in first) return [{ $match: within(first.$match) }, ...rest];
  return [{ $match: within({}) }, ...pipeline];
}

/** Checks that a filter names no other company. A filter may name the company itself. @throws CompanyScopeError */
function assertNoForeignFilter(filter: Untyped, companyId: string): void {
  for (const [key, condition] of Object.entries(filter)) {
    if (key === "$and" || key === "$or" || key === "$nor")
      for (const part of condition as Untyped[]) assertNoForeignFilter(part, companyId);
    else if (key === "companyId" && condition !== companyId)
      throw new CompanyScopeError("the filter names another company");
  }
}

/** Checks that an update keeps the company of its documents. @throws CompanyScopeError */
function assertNoForeignUpdate(update: Untyped, companyId: string): void {
  for (const [operator, changes] of Object.entries(update)) {
    if (!isPlainObject(changes)) throw new UnsupportedOperationError(`${operator} in an update`);
    for (const [path, value] of Object.entries(changes)) {
      if (path !== "companyId" && !path.startsWith("companyId.")) continue;
      const same = (operator === "$set" || operator === "$setOnInsert") && path === "companyId" && value === companyId;
      if (!same) throw new CompanyScopeError("the update would move a document to another company");
    }
  }
}
