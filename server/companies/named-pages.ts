/** Pages of records sorted by name (`nameKey`, then id), each from where the one before it ended. */
import { AppError } from "#core/errors.ts";
import { searchTerms, type SearchKeys } from "#core/search-keys.ts";
import type { BaseDocument, Collection, Filter, Projection } from "../database/port.ts";

interface Asked {
  limit: number;
  cursor?: string | undefined;
  total?: "true" | "false" | undefined;
  search?: string | undefined;
}

export interface NamedPage<T> {
  rows: T[];
  nextCursor?: string;
  total?: number;
}

export async function pageByName<T extends BaseDocument & SearchKeys>(
  collection: Collection<T>,
  filter: Filter,
  { limit, cursor, total, search }: Asked,
  projection: Projection,
): Promise<NamedPage<T>> {
  const terms = searchTerms(search ?? "");
  if (!terms) return { rows: [], ...(total === "true" ? { total: 0 } : {}) };
  const parts = terms.map((term) => ({ words: { $elemMatch: { $gte: term, $lt: `${term}\uffff` } } }));
  const [first, ...rest] = parts;
  const narrowed: Filter = { ...filter, ...first, ...(rest.length > 0 ? { $and: rest } : {}) };
  // the key leads every query into an index, also the one for all there is
  const allPages: Filter = { ...narrowed, nameKey: { $gte: "" } };
  const found = await collection.find(cursor === undefined ? allPages : { ...narrowed, ...afterCursor(cursor) }, {
    sort: { nameKey: 1, _id: 1 },
    limit: limit + 1,
    projection,
  });
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  return {
    rows,
    ...(found.length > limit && last ? { nextCursor: writeCursor(last) } : {}),
    ...(total === "true" ? { total: await collection.countDocuments(allPages) } : {}),
  };
}

function writeCursor({ nameKey, _id }: BaseDocument & SearchKeys): string {
  return Buffer.from(`${_id} ${nameKey}`).toString("base64url");
}

function afterCursor(cursor: string): Filter {
  const [, id, nameKey] = /^([0-9a-f-]{36}) (.*)$/su.exec(Buffer.from(cursor, "base64url").toString()) ?? [];
  if (id === undefined || nameKey === undefined)
    throw new AppError("invalid_input", "The cursor is not valid: start again without it", { cursor: "not valid" });
  return { nameKey: { $gte: nameKey }, $or: [{ nameKey: { $gt: nameKey } }, { _id: { $gt: id } }] };
}
