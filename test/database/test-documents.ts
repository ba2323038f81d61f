/** Declarations for the engines' own tests. */
import type { BaseDocument, Collection, Declarations } from "../../server/database/port.ts";

export interface Item extends BaseDocument {
  companyId?: string;
  name?: string;
  number?: number;
  status?: string;
  email?: string;
  deletedAt?: string | null;
  words?: string[];
  tags?: string[];
  owners?: { id: string; part?: number }[];
  meta?: { size?: number; owner?: { id: string } };
  count?: number;
}

export interface Blob extends BaseDocument {
  companyId: string;
  type: string;
  bytes?: Uint8Array;
}

export interface TestCollections {
  items: Item;
  blobs: Blob;
  plain: BaseDocument & { value?: number };
}

export const testDeclarations: Declarations<TestCollections> = {
  items: {
    tenant: true,
    indexes: [
      { name: "number", keys: { companyId: 1, number: 1 }, unique: true, partial: { number: { $exists: true } } },
      { name: "pending", keys: { companyId: 1, name: 1 }, unique: true, partial: { status: "pending" } },
      { name: "email", keys: { email: 1 }, unique: true, partial: { email: { $exists: true } } },
      { name: "list", keys: { companyId: 1, deletedAt: 1, count: -1, _id: -1 } },
      { name: "size", keys: { companyId: 1, "meta.size": 1 } },
      { name: "words", keys: { companyId: 1, words: 1 }, array: "words" },
    ],
  },
  blobs: {
    tenant: true,
    binary: "bytes",
    indexes: [
      { name: "type", keys: { companyId: 1, type: 1 } },
      { name: "one", keys: { companyId: 1, type: 1, _id: 1 }, unique: true },
    ],
  },
  plain: { tenant: false, indexes: [] },
};

type Loose = Record<keyof Collection<Item>, (...operands: unknown[]) => Promise<unknown>>;

/** Allows operations that the compiler refuses, for tests of the engines' own refusals. */
export function loose<T extends BaseDocument>(collection: Collection<T>): Loose {
  return collection as unknown as Loose;
}
