/** ORDER BY, where SQLite's order of the stored values is MongoDB's. */
import type { Sort } from "../port.ts";
import { BOOLEAN, NULL, NUMBER, STRING } from "./field-types.ts";
import { isTranslatable, valueOf } from "./paths.ts";
import type { Table } from "./table.ts";

/** @returns undefined when SQL can't sort so: arrays, objects, or booleans (1 and 0 to SQLite) among other types */
export function sortSql(table: Table, sort: Sort | undefined): string | undefined {
  const terms = Object.entries(sort ?? {}).map(([path, direction]) => {
    const types = isTranslatable(path) ? table.types.of(path) : -1;
    const sortable = (types & ~(NULL | NUMBER | STRING)) === 0 || (types & ~(NULL | BOOLEAN)) === 0;
    return sortable ? `${valueOf(path)}${direction < 0 ? " DESC" : ""}` : undefined;
  });
  if (terms.includes(undefined)) return undefined;
  return terms.length === 0 ? "" : ` ORDER BY ${terms.join(", ")}`;
}
