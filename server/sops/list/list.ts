/** Lists SOPs: merges sorted streams of SOPs that the actor can see, page by page. Counts only on request. */
import type { Actor } from "#core/permissions/actor.ts";
import type { SopQuery } from "#core/sops/list-schema.ts";
import type { SopSort } from "#core/sops/sorts.ts";
import type { Clock } from "#core/clock.ts";
import type { Collections, SopDocument } from "../../database/documents.ts";
import { atPath, type Database, type Filter, type Projection } from "../../database/port.ts";
import { loadFavoriteIds } from "../../favorites/favorites.ts";
import type { Services } from "../../http/services.ts";
import { visibleStreams, type ListFilters, type IdsByView, type SopStream } from "./streams.ts";
import { parseTimeCursor, writeCursor, type Cursor } from "./cursor.ts";
import { sortFields, loadSortedPage } from "./sorted.ts";
import type { ListedSop, VisibleScope } from "./visible.ts";

export interface SopList {
  rows: ListedSop[];
  nextCursor?: string;
  total?: number;
}

/** Reads all SOPs that the actor can see and the query wants, with these fields only, in no order. */
export async function readListedRows(
  db: Database<Collections>,
  clock: Clock,
  actor: Actor,
  query: SopQuery,
  projection: Projection<SopDocument>,
): Promise<ListedSop[]> {
  const sops = db.forCompany(actor.companyId).collection("sops");
  const starred = query.favorite === undefined ? undefined : await loadFavoriteIds(db, actor);
  const rows = await Promise.all(
    visibleStreams(actor, query, clock).map(async ({ view, filter }) => {
      const found = await sops.find(filterByIds(starred, [filter]), { projection });
      return found.map((sop): ListedSop => ({ sop, view }));
    }),
  );
  return rows.flat();
}

/** Lists SOPs in an order other than by time: reads the sort key of each row, and then the rows of the page. */
export async function listSortedSops(
  services: Pick<Services, "db" | "clock" | "companies">,
  actor: Actor,
  query: SopQuery & { sort: Exclude<SopSort, "relevance"> },
): Promise<SopList> {
  const { db, clock } = services;
  const rows = await readListedRows(db, clock, actor, query, sortFields);
  const page = await loadSortedPage(services, actor, rows, query);
  const wholeRows = await readVisibleRowsById(db, visibleStreams(actor, query, clock), actor, idsOfRows(page.rows));
  return {
    rows: page.rows.flatMap(({ sop }) => wholeRows.get(sop._id) ?? []),
    ...(page.nextCursor === undefined ? {} : { nextCursor: page.nextCursor }),
    ...(query.total === "true" ? { total: rows.length } : {}),
  };
}

function idsOfRows(rows: readonly ListedSop[]): IdsByView {
  const idsInView = (wanted: VisibleScope["view"]) =>
    rows.filter(({ view }) => view === wanted).map(({ sop }) => sop._id);
  return { latest: idsInView("latest"), published: idsInView("published") };
}

/** Reads the rows of these SOPs, by id, as far as the streams have them. */
export async function readVisibleRowsById(
  db: Database<Collections>,
  streams: readonly SopStream[],
  actor: Actor,
  ids: IdsByView,
): Promise<ReadonlyMap<string, ListedSop>> {
  const sops = db.forCompany(actor.companyId).collection("sops");
  const found = await Promise.all(
    streams.map(async ({ view, filter }) => {
      const rows = await sops.find(filterByIds(ids[view], [filter]));
      return rows.map((sop): [string, ListedSop] => [sop._id, { sop, view }]);
    }),
  );
  return new Map(found.flat());
}

/** Lists a page of SOPs, newest change first. */
export async function listSops(
  db: Database<Collections>,
  clock: Clock,
  actor: Actor,
  query: SopQuery,
): Promise<SopList> {
  const sops = db.forCompany(actor.companyId).collection("sops");
  const cursor = parseTimeCursor(query.cursor);
  const starred = query.favorite === undefined ? undefined : await loadFavoriteIds(db, actor);
  const streams = starred?.length === 0 ? [] : visibleStreams(actor, query, clock);
  const rowsOfStreams = await Promise.all(
    streams.map(async ({ view, filter, time }) => {
      const found = await sops.find(filterByIds(starred, cursor ? [filter, olderSops(cursor, time)] : [filter]), {
        sort: { ...atPath(time, -1), _id: -1 },
        limit: query.limit + 1,
      });
      return found.map((sop) => ({ sop, view }));
    }),
  );
  const merged = rowsOfStreams.length === 1 ? (rowsOfStreams[0] ?? []) : rowsOfStreams.flat().sort(compareNewestFirst);
  const rows = merged.slice(0, query.limit);
  const last = rows.at(-1);
  const list: SopList = { rows };
  if (merged.length > query.limit && last)
    list.nextCursor = writeCursor({ at: visibleUpdatedAt(last), id: last.sop._id });
  if (query.total === "true") list.total = await countInStreams(db, actor, streams, starred);
  return list;
}

/**
 * Counts the SOPs in the actor's list with this status. A published SOP with a draft counts for both statuses, as in
 * the list.
 */
export async function countListOfStatus(
  db: Database<Collections>,
  clock: Clock,
  actor: Actor,
  status: NonNullable<ListFilters["status"]>,
): Promise<number> {
  return countInStreams(db, actor, visibleStreams(actor, { status }, clock));
}

async function countInStreams(
  db: Database<Collections>,
  actor: Actor,
  streams: readonly Pick<SopStream, "filter">[],
  starred?: readonly string[],
): Promise<number> {
  const sops = db.forCompany(actor.companyId).collection("sops");
  const counts = await Promise.all(streams.map(({ filter }) => sops.countDocuments(filterByIds(starred, [filter]))));
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Returns a filter for SOPs that match all filters and, if `ids` is given, have one of these ids. */
export function filterByIds(
  ids: readonly string[] | undefined,
  filters: readonly [Filter<SopDocument>, ...Filter<SopDocument>[]],
): Filter<SopDocument> {
  if (ids) return { _id: { $in: [...ids] }, $and: [...filters] };
  return filters.length === 1 ? filters[0] : { $and: [...filters] };
}

function visibleUpdatedAt({ sop, view }: ListedSop): string {
  return view === "published" && sop.published ? sop.published.updatedAt : sop.updatedAt;
}

function compareNewestFirst(a: ListedSop, b: ListedSop): number {
  const [atA, atB] = [visibleUpdatedAt(a), visibleUpdatedAt(b)];
  if (atA !== atB) return atA < atB ? 1 : -1;
  return a.sop._id < b.sop._id ? 1 : -1;
}

function olderSops({ at, id }: Cursor, time: SopStream["time"]): Filter<SopDocument> {
  return { $or: [atPath(time, { $lt: at }), { ...atPath(time, at), _id: { $lt: id } }] };
}
