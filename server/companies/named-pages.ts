/** Loads pages of records sorted by name (`nameKey`, then id). Each page starts where the previous one ended. */
import { searchTermsOf, type SearchKeys } from "#core/search-keys.ts";
import type { BaseDocument, CheckedFilter, Collection, Filter, Projection, Sort } from "../database/port.ts";
import { invalidCursorError } from "../http/invalid-cursor.ts";

type NamedDocument = BaseDocument & SearchKeys;

interface NamedPageQuery {
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

export async function loadPageByName<T extends NamedDocument>(
  collection: Collection<T>,
  filter: Filter<T>,
  { limit, cursor, total, search }: NamedPageQuery,
  projection: Projection<T>,
): Promise<NamedPage<T>> {
  const terms = searchTermsOf(search ?? "");
  if (!terms) return { rows: [], ...(total === "true" ? { total: 0 } : {}) };
  const parts = terms.map((term): Filter<NamedDocument> => ({
    words: { $elemMatch: { $gte: term, $lt: `${term}\uffff` } },
  }));
  const [first, ...rest] = parts;
  const narrowed = { ...filter, ...first, ...(rest.length > 0 ? { $and: rest } : {}) };
  const filterOfPage = (page: Filter<NamedDocument>) => ({ ...narrowed, ...page }) as CheckedFilter<T>;
  // every query has a condition on the key, so that an index serves it; on the first page, all keys match
  const fromStart: Filter<NamedDocument> = { nameKey: { $gte: "" } };
  const sort: Sort<NamedDocument> = { nameKey: 1, _id: 1 };
  const found = await collection.find(
    filterOfPage(cursor === undefined ? fromStart : filterForNamesAfterCursor(cursor)),
    {
      sort,
      limit: limit + 1,
      projection,
    },
  );
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  return {
    rows,
    ...(found.length > limit && last ? { nextCursor: writeCursor(last) } : {}),
    ...(total === "true" ? { total: await collection.countDocuments(filterOfPage(fromStart)) } : {}),
  };
}

function writeCursor({ nameKey, _id }: NamedDocument): string {
  return Buffer.from(`${_id} ${nameKey}`).toString("base64url");
}

function filterForNamesAfterCursor(cursor: string): Filter<NamedDocument> {
  const [, id, nameKey] = /^([0-9a-f-]{36}) (.*)$/su.exec(Buffer.from(cursor, "base64url").toString()) ?? [];
  if (id === undefined || nameKey === undefined) throw invalidCursorError();
  return { nameKey: { $gte: nameKey }, $or: [{ nameKey: { $gt: nameKey } }, { _id: { $gt: id } }] };
}
