/**
 * Finds documents that lack the shape of their collection, and so are damaged. Lists leave them out, as with the
 * embedded engine.
 */
// oxlint-disable-next-line no-restricted-imports -- the engine itself
import type { Db } from "mongodb";
import { damagedDocumentText, DamagedDocumentError, type BaseDocument, type CollectionDeclaration } from "../port.ts";
import type { FindOptions, Projection, Untyped } from "../port.ts";
import { shapeCheck } from "../shape.ts";

export interface DocumentChecks {
  /** False until all migrations ran: documents of an earlier version have other shapes. */
  isCurrent: boolean;
  /** Called for each damaged document that a query met. */
  met: (collection: string, id: string) => void;
}

export interface CheckedCollection {
  name: string;
  declaration: CollectionDeclaration;
  documents: DocumentChecks;
}

const documentsAtMost = 1_000;
const known = new WeakMap<CollectionDeclaration, ReturnType<typeof shapeCheck>>();

function shapeCheckOf(
  declaration: CollectionDeclaration,
  projection?: Projection<Untyped>,
): ReturnType<typeof shapeCheck> {
  if (projection === undefined) {
    const check = known.get(declaration) ?? shapeCheck(declaration.shape);
    known.set(declaration, check);
    return check;
  }
  const isIncluding = Object.entries(projection).some(([name, one]) => one === 1 && name !== "_id");
  const named = new Set(Object.keys(projection).map((path) => path.split(".", 1)[0] ?? path));
  const isWhole = (field: string) =>
    isIncluding || projection["_id"] === 1 ? projection[field] === 1 : !named.has(field);
  return shapeCheck(declaration.shape, isWhole);
}

/**
 * Reads documents, and leaves out damaged ones.
 * @param read runs the query. It is called again with a filter that excludes the damaged documents, so that a page
 * stays full
 * @throws DamagedDocumentError for a single document
 */
export async function readShapedDocuments(
  { name, declaration, documents }: CheckedCollection,
  filter: Untyped,
  { projection, isOne }: Pick<FindOptions<Untyped>, "projection"> & { isOne: boolean },
  read: (filter: Untyped) => Promise<BaseDocument[]>,
): Promise<BaseDocument[]> {
  if (!documents.isCurrent || declaration.shape === undefined) return read(filter);
  const hasShape = shapeCheckOf(declaration, projection);
  for (const damaged: string[] = []; ;) {
    const found = await read(damaged.length === 0 ? filter : { $and: [filter, { _id: { $nin: damaged } }] });
    const wrong = found.filter((one) => !hasShape(one)).map(({ _id }) => _id);
    if (wrong.length === 0) return found;
    // a damaged document without an id can't be excluded from the next query
    if (wrong.includes(undefined as never)) return found.filter(hasShape);
    for (const id of wrong) documents.met(name, id);
    if (isOne) throw new DamagedDocumentError(name, wrong.join(", "));
    damaged.push(...wrong);
  }
}

/** Checks all documents. @returns a line for each damaged document */
export async function findShapeless(
  { inner, documents }: { inner: Db; documents: DocumentChecks },
  declarations: Readonly<Record<string, CollectionDeclaration>>,
): Promise<string[]> {
  const lines: string[] = [];
  for (const [name, declaration] of documents.isCurrent ? Object.entries(declarations) : []) {
    if (declaration.shape === undefined) continue;
    const hasShape = shapeCheckOf(declaration);
    const projection = declaration.binary === undefined ? {} : { projection: { [declaration.binary]: 0 } };
    for await (const one of inner.collection<BaseDocument>(name).find({}, projection))
      if (!hasShape(one) && lines.length < documentsAtMost) lines.push(damagedDocumentText(name, one._id));
  }
  return lines;
}
