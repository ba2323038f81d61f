/** A document that another stored document says exists. */
import type { AssetDocument, Collections } from "../database/documents.ts";
import { missingDocumentText, type Database } from "../database/port.ts";
import { lineItems, missingItemLine, type NamedItem } from "./reference-lines.ts";
import { missingBytesLine } from "./stored.ts";

export type CollectionSource = Pick<Database<Collections>, "collection">;
export type CollectionName = keyof Collections & string;

export interface Reference {
  name: CollectionName;
  filter: Readonly<Record<string, unknown>>;
  /** The finding that a check reports if the document is missing. */
  line: string;
  /** Says whether the missing document was deleted on purpose, so that it isn't damage. */
  isDeleted?: (db: CollectionSource) => Promise<boolean>;
}

export function referencesTo(name: CollectionName, ...ids: readonly (string | null | undefined)[]): Reference[] {
  return ids.flatMap((_id) => (_id ? [{ name, filter: { _id }, line: missingDocumentText(name, _id) }] : []));
}

export const fileReference = ({ companyId, sha256 }: Pick<AssetDocument, "companyId" | "sha256">): Reference => ({
  name: "assets",
  filter: { companyId, sha256 },
  line: missingBytesLine({ companyId, sha256 }),
});

/** @param filter has the fields that the item's line prints */
export function referenceTo(item: NamedItem, filter: Reference["filter"]): Reference {
  return {
    name: lineItems[item].name,
    filter: { ...filter, ...lineItems[item].filter },
    line: missingItemLine(item, filter),
  };
}

export const reviewReference = (companyId: string, sopId: string, createdAt: string): Reference =>
  referenceTo("review", { companyId, sopId, createdAt });
