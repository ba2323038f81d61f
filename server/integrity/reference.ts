/** A document that another stored document says exists. */
import type { AssetDocument, Collections } from "../database/documents.ts";
import { missingDocumentText, type Database } from "../database/port.ts";
import { inLine, lineOf, type NamedItem } from "./reference-lines.ts";
import { missingBytes } from "./stored.ts";

export type Reading = Pick<Database<Collections>, "collection">;
export type Name = keyof Collections & string;

export interface Reference {
  name: Name;
  filter: Readonly<Record<string, unknown>>;
  /** As checks name it where it is missing. */
  line: string;
  /** Asked where it is missing: was it deleted? */
  isDeleted?: (db: Reading) => Promise<boolean>;
}

export function referencesTo(name: Name, ...ids: readonly (string | null | undefined)[]): Reference[] {
  return ids.flatMap((_id) => (_id ? [{ name, filter: { _id }, line: missingDocumentText(name, _id) }] : []));
}

export const fileReference = ({ companyId, sha256 }: Pick<AssetDocument, "companyId" | "sha256">): Reference => ({
  name: "assets",
  filter: { companyId, sha256 },
  line: missingBytes({ companyId, sha256 }),
});

/** @param filter has the fields that the line of this item names */
export function referenceTo(item: NamedItem, filter: Reference["filter"]): Reference {
  return { name: inLine[item].name, filter: { ...filter, ...inLine[item].filter }, line: lineOf(item, filter) };
}

export const reviewReference = (companyId: string, sopId: string, createdAt: string): Reference =>
  referenceTo("review", { companyId, sopId, createdAt });
