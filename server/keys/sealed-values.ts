/** All encrypted values in the database, for a rotation that re-encrypts them and for a check that opens them. */
import type { Collections, MirrorDocument, UserDocument } from "../database/documents.ts";
import { atPath, type Collection, type Database } from "../database/port.ts";
import { apiKeySealContext } from "./stored-key.ts";

/**
 * The place of a sealed value, which is part of the authenticated data. So a sealed token can't be opened after a copy
 * to another company.
 */
export function placeOfMirror(companyId: string, field: MirrorField): string {
  return `mirrors/${companyId}/${field}`;
}
export type MirrorField = "token" | "secret";

type SealedFields = Pick<UserDocument, "openaiApiKey"> & Pick<MirrorDocument, MirrorField>;

/** A user or a mirror with only its encrypted fields. */
export type SealedFieldsCollection = Pick<
  Collection<Pick<UserDocument, "_id" | "companyId"> & Partial<SealedFields>>,
  "find" | "updateOne"
>;

interface SealedField {
  collection: "users" | "mirrors";
  field: keyof SealedFields;
  placeOf(id: string): string;
  /** The name of the value, for the operator. */
  nameOf(id: string): string;
  entityType: "user" | "company";
}

const fields: readonly SealedField[] = [
  {
    collection: "users",
    field: "openaiApiKey",
    placeOf: apiKeySealContext,
    nameOf: (id) => `AI key of user ${id}`,
    entityType: "user",
  },
  {
    collection: "mirrors",
    field: "token",
    placeOf: (id) => placeOfMirror(id, "token"),
    nameOf: (id) => `token of the mirror of company ${id}`,
    entityType: "company",
  },
  {
    collection: "mirrors",
    field: "secret",
    placeOf: (id) => placeOfMirror(id, "secret"),
    nameOf: (id) => `webhook secret of the mirror of company ${id}`,
    entityType: "company",
  },
];

export interface SealedValue extends Omit<SealedField, "placeOf" | "nameOf"> {
  _id: string;
  companyId: string;
  sealed: string;
  place: string;
  name: string;
}

export interface SealedPage {
  values: SealedValue[];
  /** The start of the next page; null at the end. */
  next: string | null;
}

const pageSize = 200;

/** @param after "" for the first page, or the `next` of a page */
export async function sealedPage(db: Pick<Database<Collections>, "collection">, after: string): Promise<SealedPage> {
  const [, index = "0", last = ""] = /^(?:(\d+):)?(.*)$/.exec(after) ?? [];
  const at = fields[Number(index)];
  if (at === undefined) return { values: [], next: null };
  const { collection, field, entityType } = at;
  const stored: SealedFieldsCollection = db.collection(collection);
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
    place: at.placeOf(document._id),
    name: at.nameOf(document._id),
  }));
  const isWhole = found.length < pageSize;
  const next = isWhole ? `${Number(index) + 1}:` : `${index}:${found.at(-1)?._id}`;
  return { values, next: isWhole && Number(index) + 1 === fields.length ? null : next };
}

export async function* sealedPages(db: Pick<Database<Collections>, "collection">): AsyncGenerator<SealedValue[]> {
  for (let after: string | null = ""; after !== null;) {
    const page: SealedPage = await sealedPage(db, after);
    if (page.values.length > 0) yield page.values;
    after = page.next;
  }
}
