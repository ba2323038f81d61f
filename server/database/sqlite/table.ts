/** Keeps the engine's data about one collection: its declaration in SQL terms, its field types, its cache. */
import type { CollectionDeclaration, Untyped } from "../port.ts";
import { shapeCheck } from "../shape.ts";
import { DamagedRows, type OnDamage } from "./damaged-rows.ts";
import { type CacheBudget, TableCache } from "./document-cache.ts";
import { FieldTypes } from "./field-types.ts";
import { quoteIdentifier } from "./paths.ts";

/** The index of an array field: a table of its elements with the columns (prefix…, value, row). */
export interface ArrayIndex {
  array: string;
  /** The keys of the index before the array, usually `companyId`. */
  prefix: string[];
  name: string;
  sqlName: string;
}

export interface SqliteTable {
  name: string;
  sqlName: string;
  binary: string | undefined;
  declaration: CollectionDeclaration;
  types: FieldTypes;
  cache: TableCache;
  damaged: DamagedRows;
  /** Called when no document of the table can be read. */
  lost: () => void;
  hasShape: (document: unknown) => boolean;
  /** False until all migrations ran: documents of an earlier version have other shapes. */
  isCurrent: boolean;
  arrays: ArrayIndex[];
  /**
   * Fields that a partial index compares with a constant. Queries have their values in the SQL text: with bound values,
   * SQLite would prepare the statement again for each value.
   */
  literalPaths: ReadonlySet<string>;
}

export function createSqliteTable(
  name: string,
  declaration: CollectionDeclaration,
  budget: CacheBudget,
  {
    met = () => undefined,
    lost = () => undefined,
    isCurrent = false,
  }: { met?: OnDamage; lost?: (collection: string) => void; isCurrent?: boolean } = {},
): SqliteTable {
  const paths = declaration.indexes.flatMap(({ keys }) => Object.keys(keys));
  return {
    name,
    sqlName: quoteIdentifier(name),
    binary: declaration.binary,
    declaration,
    types: new FieldTypes([...new Set(paths.filter((path) => path.includes(".")))]),
    cache: new TableCache(budget),
    damaged: new DamagedRows(name, met),
    lost: () => lost(name),
    hasShape: shapeCheck(declaration.shape),
    isCurrent,
    arrays: declaration.indexes.flatMap(({ name: index, keys, array }) => {
      if (array === undefined) return [];
      const before = Object.keys(keys).slice(0, Object.keys(keys).indexOf(array));
      return [{ array, prefix: before, name: index, sqlName: quoteIdentifier(`${name}/${index}`) }];
    }),
    literalPaths: new Set(declaration.indexes.flatMap(({ partial }) => comparedPaths(partial ?? {}))),
  };
}

function comparedPaths(partial: Untyped): string[] {
  return Object.entries(partial).flatMap(([path, condition]) =>
    typeof condition === "object" && condition !== null && "$exists" in condition ? [] : [path],
  );
}
