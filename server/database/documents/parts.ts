/** Parts shared by documents. */
import type { BaseDocument } from "../port.ts";

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
