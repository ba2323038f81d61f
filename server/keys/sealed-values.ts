/** Reads all encrypted values in the database: a rotation re-encrypts them, and a check decrypts them. */
import { declarations, type Collections } from "../database/documents.ts";
import { atPath, type BaseDocument, type Collection, type Database } from "../database/port.ts";

/**
 * Returns the path of an encrypted field, such as `users/<id>/openaiApiKey`. The path is part of the authenticated
 * data, so a value that was copied to another document can't be decrypted there.
 */
export function pathOfSealedField(collection: keyof Collections, id: string, field: string): string {
  return `${collection}/${id}/${field}`;
}

/**
 * A document with an encrypted field. Its type calls the field `sealed`, because each collection has another name for
 * it.
 */
interface SealedDocument extends BaseDocument {
  companyId: string;
  sealed: string | null;
}
export type SealedDocuments = Pick<Collection<SealedDocument>, "find" | "updateOne">;

const fields = Object.entries(declarations).flatMap(([collection, { sealed }]) =>
  Object.entries(sealed?.names ?? {}).map(([field, name]) => ({
    collection: collection as keyof Collections,
    field: field as "sealed",
    name,
    entityType: sealed?.entity ?? "",
  })),
);

export interface SealedValue {
  collection: keyof Collections;
  field: "sealed";
  entityType: string;
  _id: string;
  companyId: string;
  sealed: string;
  place: string;
  /** The name of the value, for the operator. */
  name: string;
}

export interface SealedPage {
  values: SealedValue[];
  /** The start of the next page; null at the end. */
  next: string | null;
}

const pageSize = 200;

/**
 * Reads a page of encrypted values.
 * @param after "" for the first page, or the `next` of a page
 */
export async function readSealedPage(
  db: Pick<Database<Collections>, "collection">,
  after: string,
): Promise<SealedPage> {
  const [, index = "0", last = ""] = /^(?:(\d+):)?(.*)$/.exec(after) ?? [];
  const at = fields[Number(index)];
  if (at === undefined) return { values: [], next: null };
  const { collection, field, name, entityType } = at;
  const stored = db.collection(collection) as unknown as SealedDocuments;
  const found = await stored.find(
    { _id: { $gt: last }, ...atPath(field, { $gt: "" }) },
    { sort: { _id: 1 }, limit: pageSize },
  );
  const values = found.map((document) => ({
    collection,
    field,
    entityType,
    _id: document._id,
    companyId: document.companyId,
    sealed: String(document[field]),
    place: pathOfSealedField(collection, document._id, field),
    name: `${name} ${document._id}`,
  }));
  const isWhole = found.length < pageSize;
  const next = isWhole ? `${Number(index) + 1}:` : `${index}:${found.at(-1)?._id}`;
  return { values, next: isWhole && Number(index) + 1 === fields.length ? null : next };
}

export async function* readSealedPages(db: Pick<Database<Collections>, "collection">): AsyncGenerator<SealedValue[]> {
  for (let after: string | null = ""; after !== null;) {
    const page: SealedPage = await readSealedPage(db, after);
    if (page.values.length > 0) yield page.values;
    after = page.next;
  }
}
