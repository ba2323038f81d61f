/** Parts shared by documents. */
import type { BaseDocument } from "../port.ts";

export interface Tenant extends BaseDocument {
  companyId: string;
}

export interface Dated {
  createdAt: string;
  updatedAt: string;
}

/** The fields that lists sort and search by. Rebuilt with each change of their sources (`core/search-keys.ts`). */
export interface Found {
  nameKey: string;
  words: string[];
}
