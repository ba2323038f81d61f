/**
 * Lists SOPs that the user opened or changed, latest first. Leaves out SOPs that the user can't see or that the query
 * excludes.
 */
import type { Actor } from "#core/permissions/actor.ts";
import type { Clock } from "#core/clock.ts";
import { recentRangeStart, type RecentRange } from "#core/favorites/rules.ts";
import type { SopQuery } from "#core/sops/list-schema.ts";
import type { Collections, SopUseDocument } from "../../database/documents.ts";
import type { Database, Filter } from "../../database/port.ts";
import { visibleStreams, type IdsByView, type SopStream } from "./streams.ts";
import { parseTimeCursor, writeCursor, type Cursor } from "./cursor.ts";
import { filterByIds, readVisibleRowsById, type SopList } from "./list.ts";
import type { ListedSop } from "./visible.ts";

/**
 * The minimum number of records in a read, because some lead to SOPs that the user can't see or that the query
 * excludes.
 */
const batchAtLeast = 100;

export type RecentQuery = SopQuery & { recent: RecentRange };

/** @param found if given, only SOPs with these ids, which a search found */
export async function listRecentSops(
  db: Database<Collections>,
  clock: Clock,
  actor: Actor,
  query: RecentQuery,
  found?: ReadonlySet<string>,
): Promise<SopList> {
  const streams = visibleStreams(actor, query, clock);
  const shown: { row: ListedSop; at: string }[] = [];
  for await (const batch of recentSopBatches(db, clock, actor, query, parseTimeCursor(query.cursor))) {
    const rows = await readVisibleRowsById(db, streams, actor, recentlyUsedIds(batch, found));
    for (const { sopId, recentAt = "" } of batch) {
      const row = rows.get(sopId);
      if (row) shown.push({ row, at: recentAt });
    }
    if (shown.length > query.limit) break;
  }
  const page = shown.slice(0, query.limit);
  const last = page.at(-1);
  const list: SopList = { rows: page.map(({ row }) => row) };
  if (shown.length > query.limit && last) list.nextCursor = writeCursor({ at: last.at, id: last.row.sop._id });
  if (query.total === "true") {
    list.total = 0;
    for await (const batch of recentSopBatches(db, clock, actor, query, null)) {
      list.total += await countVisibleSopsWithIds(db, streams, actor, recentlyUsedIds(batch, found));
    }
  }
  return list;
}

async function* recentSopBatches(
  db: Database<Collections>,
  clock: Clock,
  { companyId, userId }: Actor,
  query: RecentQuery,
  from: Cursor | null,
): AsyncGenerator<SopUseDocument[]> {
  const sopUses = db.forCompany(companyId).collection("sop_uses");
  const allPages = {
    userId,
    recentAt: { $gte: recentRangeStart(query.recent, clock.millis()) },
    ...(query.favorite === undefined ? {} : { favorite: true }),
  };
  const limit = Math.max(batchAtLeast, query.limit + 1);
  for (let cursor = from; ;) {
    const filter = cursor ? { $and: [allPages, usesBeforeCursorFilter(cursor)] } : allPages;
    const batch = await sopUses.find(filter, { sort: { recentAt: -1, sopId: -1 }, limit });
    const last = batch.at(-1);
    if (last?.recentAt !== undefined) yield batch;
    if (batch.length < limit || last?.recentAt === undefined) return;
    cursor = { at: last.recentAt, id: last.sopId };
  }
}

function usesBeforeCursorFilter({ at, id }: Cursor): Filter<SopUseDocument> {
  return { $or: [{ recentAt: { $lt: at } }, { recentAt: at, sopId: { $lt: id } }] };
}

/** Returns the ids of the used SOPs. @param found if given, only the SOPs among these ids, which a search found */
function recentlyUsedIds(uses: readonly SopUseDocument[], found: ReadonlySet<string> | undefined): IdsByView {
  const ids = uses.map(({ sopId }) => sopId).filter((id) => found?.has(id) ?? true);
  return { latest: ids, published: ids };
}

async function countVisibleSopsWithIds(
  db: Database<Collections>,
  streams: readonly SopStream[],
  actor: Actor,
  ids: IdsByView,
): Promise<number> {
  const sops = db.forCompany(actor.companyId).collection("sops");
  const counts = await Promise.all(
    streams.map(({ view, filter }) => sops.countDocuments(filterByIds(ids[view], [filter]))),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}
