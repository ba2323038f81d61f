/** Lists the log page by page, newest first. A filter without an index reads a limited number of rows. */
import type { AuditQuery, AuditRow } from "#core/audit/schema.ts";
import { foldWord } from "#core/text/fold.ts";
import type { AuditDocument, Collections } from "../database/documents.ts";
import type { CompanyStore, Filter } from "../database/port.ts";
import type { ChangeHider } from "./readable.ts";
import { invalidCursorError } from "../http/invalid-cursor.ts";

export type AuditFilters = Omit<AuditQuery, "limit" | "cursor">;

export interface AuditPage {
  rows: AuditDocument[];
  /** The cursor of the next page. Even a short or empty page can have one. */
  nextCursor?: string;
}

const chunk = 500;
const scannedAtMost = 5_000;
const dayMs = 24 * 3_600_000;

/** The rows and the changes in them that the actor can see. A search finds only text that is shown. */
export interface AuditView {
  /** Says which rows to keep; absent: all rows. */
  keep?: RowFilter | undefined;
  show?: ChangeHider | undefined;
}

export async function listAudit(
  store: CompanyStore<Collections>,
  { limit, cursor, ...filters }: AuditQuery,
  { keep, show }: AuditView = {},
): Promise<AuditPage> {
  const logs = store.collection("audit_logs");
  const narrowed = auditFilter(filters);
  const wanted = combineRowFilters(keep, createSearchFilter(filters.search));
  const size = wanted ? chunk : limit + 1;
  const rows: AuditDocument[] = [];
  let from = cursor;
  for (let scanned = 0; scanned < scannedAtMost; scanned += size) {
    const filter = from === undefined ? narrowed : { ...narrowed, ...filterForOlderEntries(from) };
    const stored = await logs.find(filter, { sort: { createdAt: -1, _id: -1 }, limit: size });
    const found = show ? await show(stored) : stored;
    for (const [index, row] of found.entries()) {
      if (!wanted || wanted(row)) rows.push(row);
      const more = index < found.length - 1 || found.length === size;
      if (rows.length === limit) return more ? { rows, nextCursor: auditCursor(row) } : { rows };
    }
    const last = found.at(-1);
    if (!last || found.length < size) return { rows };
    from = auditCursor(last);
  }
  return from === undefined ? { rows } : { rows, nextCursor: from };
}

function auditFilter({ action, entityType, entityId, userId, from, to }: AuditFilters) {
  const range = {
    ...(from === undefined ? {} : { $gte: new Date(from).toISOString() }),
    ...(to === undefined ? {} : { $lte: lastMomentOfDay(to) }),
  };
  return {
    ...(action === undefined ? {} : { action }),
    ...(entityType === undefined ? {} : { entityType }),
    ...(entityId === undefined ? {} : { entityId }),
    ...(userId === undefined ? {} : { userId }),
    ...(Object.keys(range).length > 0 ? { createdAt: range } : {}),
  };
}

/** Returns the last millisecond of a day. Returns a time unchanged. */
function lastMomentOfDay(to: string): string {
  const at = Date.parse(to);
  return new Date(to.length === 10 ? at + dayMs - 1 : at).toISOString();
}

type RowFilter = (row: AuditDocument) => boolean;

function combineRowFilters(a: RowFilter | undefined, b: RowFilter | undefined): RowFilter | undefined {
  return a && b ? (row) => a(row) && b(row) : (a ?? b);
}

/**
 * Creates a filter for rows that contain the text in the form that the view shows.
 * @returns undefined without a text
 */
function createSearchFilter(search: string | undefined): RowFilter | undefined {
  const wanted = foldWord((search ?? "").trim());
  if (wanted === "") return undefined;
  return ({ userName, action, entityType, entityId, changes, ipAddress }) =>
    foldWord([userName, action, entityType, entityId, ipAddress, JSON.stringify(changes)].join("\n")).includes(wanted);
}

function auditCursor({ createdAt, _id }: AuditDocument): string {
  return Buffer.from(`${createdAt} ${_id}`).toString("base64url");
}

function filterForOlderEntries(cursor: string): Filter<AuditDocument> {
  const [, at, id] =
    /^(\d{4}-\d\d-\d\dT[\d:.]+Z) ([0-9a-f-]{36})$/.exec(Buffer.from(cursor, "base64url").toString()) ?? [];
  if (at === undefined || id === undefined) {
    throw invalidCursorError();
  }
  return { $or: [{ createdAt: { $lt: at } }, { createdAt: at, _id: { $lt: id } }] };
}

export function presentAudit(row: AuditDocument, entityName: string | null): AuditRow {
  return { ...row, id: row._id, seq: row.seq ?? null, hash: row.hash ?? null, entityName };
}
