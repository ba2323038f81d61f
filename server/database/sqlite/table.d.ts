/** What the engine knows of one collection: its declaration in SQL terms, its field types, its cache. */
import type { CollectionDeclaration } from "../port.ts";
import { type CacheBudget, TableCache } from "./document-cache.ts";
import { FieldTypes } from "./field-types.ts";
/** The elements of one array field, in a table of their own: (prefix…, value, row). */
export interface ArrayIndex {
  array: string;
  /** The keys declared before the array: `companyId`, as a rule. */
  prefix: string[];
  name: string;
  sqlName: string;
}
export interface Table {
  name: string;
  sqlName: string;
  binary: string | undefined;
  declaration: CollectionDeclaration;
  types: FieldTypes;
  cache: TableCache;
  arrays: ArrayIndex[];
  /**
   * Fields compared with a constant in a partial index: their values stand in the SQL text, since SQLite would otherwise
   * prepare the statement anew for every bound value.
   */
  literalPaths: ReadonlySet<string>;
}
export declare function tableOf(name: string, declaration: CollectionDeclaration, budget: CacheBudget): Table;
