/** What documents share. */
import type { BaseDocument } from "../port.ts";

export interface Tenant extends BaseDocument {
  companyId: string;
}

export interface Dated {
  createdAt: string;
  updatedAt: string;
}

/** What lists sort and find a record by: made anew with each change of what it is made from (`core/search-keys.ts`). */
export interface Found {
  nameKey: string;
  words: string[];
}
