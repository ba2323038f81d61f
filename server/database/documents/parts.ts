/** Defines fields that several documents have, and the type of collections. */
import type { BaseDocument, CollectionDeclaration } from "../port.ts";
import type { DocumentShape } from "../shape.ts";

export interface Tenant extends BaseDocument {
  companyId: string;
}

export interface DatedFields {
  createdAt: string;
  updatedAt: string;
}

/**
 * The fields by which lists are sorted and searched. Each change of their sources computes them again
 * (`core/search-keys.ts`).
 */
export interface SearchKeyFields {
  nameKey: string;
  words: string[];
}

/** A collection, and rules about its documents. */
interface StoredCollection<T> extends CollectionDeclaration<T> {
  /**
   * Absent for documents that expire within a day. Absent also for the audit log and its checkpoints, which have hashes
   * and are shown even if altered.
   */
  shape?: DocumentShape<T>;
  /** The encrypted fields. `names` has the name of each value that operators see. */
  sealed?: { entity: "user" | "company"; names: { [Field in keyof T & string]?: string } };
  /** Documents are deleted this many milliseconds after the time in their field `by`. */
  swept?: { by: keyof T & string; afterMs: number };
  /**
   * False if backups leave the documents out: they mean nothing in another installation, soon expire, or are created
   * again.
   */
  inBackups?: false;
  /** The reason why a lost document can be ignored. If absent, checks and backups name lost documents. */
  ifLost?: string;
}

export type StoredCollections<All> = { readonly [Name in keyof All & string]: StoredCollection<All[Name]> };
