/** Parts shared by documents. */
import type { BaseDocument, CollectionDeclaration } from "../port.ts";
import type { DocumentShape } from "../shape.ts";

export interface Tenant extends BaseDocument {
  companyId: string;
}

export interface DatedFields {
  createdAt: string;
  updatedAt: string;
}

/** The fields that lists sort and search by. Rebuilt with each change of their sources (`core/search-keys.ts`). */
export interface SearchKeyFields {
  nameKey: string;
  words: string[];
}

/** A collection, and what happens with its documents. */
interface StoredCollection<T> extends CollectionDeclaration<T> {
  /**
   * Absent for documents that expire within a day, and for the audit log with its checkpoints, which have hashes and are
   * shown even if altered.
   */
  shape?: DocumentShape<T>;
  /** The encrypted fields. An operator knows a value by its name here and the document's id. */
  sealed?: { entity: "user" | "company"; names: { [Field in keyof T & string]?: string } };
  /** The sweep deletes a document this many milliseconds after the time in its field `by`. */
  swept?: { by: keyof T & string; afterMs: number };
  /** Set if documents have no meaning elsewhere, must expire, or are created again. */
  inBackups?: false;
  /** Why a lost document needs no name. Absent if checks and backups name it. */
  ifLost?: string;
}

export type StoredCollections<All> = { readonly [Name in keyof All & string]: StoredCollection<All[Name]> };
