/**
 * Exports the log as a file: CSV for spreadsheets, NDJSON with everything that a proof needs. The file is streamed and
 * includes the row of the export itself.
 */
import { Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import type { Context } from "koa";
import type { Actor } from "#core/permissions/actor.ts";
import type { ExportLine } from "#core/audit/export-file.ts";
import type { AuditExportQuery } from "#core/audit/schema.ts";
import { csvLine } from "#core/csv/write.ts";
import { AppError } from "#core/errors.ts";
import { printedName } from "#core/users/printed-name.ts";
import type { AuditDocument, Collections, UserDocument } from "../database/documents.ts";
import type { CompanyStore } from "../database/port.ts";
import { holdSlotUntilSent } from "../http/answers.ts";
import type { Origin } from "../http/call.ts";
import type { Services } from "../http/services.ts";
import { chainPendingRows, chainGenesisOf, loadChainHead, proofRowOf } from "./chain.ts";
import { createExportSeal } from "./checkpoints.ts";
import { listAudit, type AuditFilters } from "./list.ts";
import { loadEntityNameLookup, type EntityNameLookup } from "./names.ts";
import type { ChangeHider } from "./readable.ts";
import { recordAudit } from "./record.ts";
import { refusals } from "./refusals.ts";

const chunk = 500;

/**
 * Answers the request with the file, and records the export.
 * @throws AppError invalid_input for filters on NDJSON, which must be complete
 */
export async function exportAudit(
  services: Services,
  ctx: Context,
  companyId: string,
  { format, ...filters }: AuditExportQuery,
  by: { user: UserDocument; origin: Origin; show?: ChangeHider; actor?: Actor },
): Promise<void> {
  if (format === "ndjson" && Object.values(filters).some((value) => value !== undefined)) {
    throw new AppError("invalid_input", refusals.filteredLog());
  }
  await holdSlotUntilSent(ctx, services.shares.downloads);
  const at = services.clock.now();
  await recordAudit(services.db, {
    companyId,
    userId: by.user._id,
    userName: printedName(by.user),
    action: "audit.export",
    entityType: "audit",
    entityId: null,
    changes: { format, ...filters },
    at,
    origin: by.origin,
  });
  const lines = format === "csv" ? auditCsv(services, companyId, filters, by) : proofLines(services, companyId, at);
  ctx.attachment(`audit-${at.slice(0, 10)}.${format}`);
  ctx.type = format === "csv" ? "text/csv; charset=utf-8" : "application/x-ndjson";
  ctx.status = 200;
  ctx.body = Readable.from(lines);
}

const columns = [
  ["time", (row) => row.createdAt],
  ["seq", (row) => row.seq ?? null],
  ["user", (row) => row.userName],
  ["userId", (row) => row.userId],
  ["action", (row) => row.action],
  ["entityType", (row) => row.entityType],
  ["entityId", (row) => row.entityId],
  ["entityName", (row, nameOf) => nameOf(row)],
  ["changes", (row) => (row.changes === null ? null : JSON.stringify(row.changes))],
  ["ipAddress", (row) => row.ipAddress],
  ["userAgent", (row) => row.userAgent],
  ["requestId", (row) => row.requestId],
  ["hash", (row) => row.hash ?? null],
] as const satisfies readonly (readonly [
  string,
  (row: AuditDocument, nameOf: EntityNameLookup) => string | number | null,
])[];

async function* auditCsv(
  services: Services,
  companyId: string,
  filters: AuditFilters,
  { show, actor }: { show?: ChangeHider; actor?: Actor },
): AsyncGenerator<string> {
  yield csvLine(columns.map(([name]) => name));
  let cursor: string | undefined;
  do {
    const page = await listAudit(services.db.forCompany(companyId), { ...filters, limit: chunk, cursor }, { show });
    const nameOf = await loadEntityNameLookup(services, companyId, actor ?? null, page.rows);
    if (page.rows.length > 0) yield page.rows.map((row) => csvLine(columns.map(([, of]) => of(row, nameOf)))).join("");
    cursor = page.nextCursor;
    // let other requests run
    await setImmediate();
  } while (cursor !== undefined);
}

/**
 * Yields the lines of an NDJSON export, by which the log can be verified. First chains all rows written before the
 * export, and the row of the export itself.
 */
async function* proofLines({ db, keys }: Services, companyId: string, at: string): AsyncGenerator<string> {
  while ((await chainPendingRows(db, companyId, chunk)).chained === chunk);
  const store = db.forCompany(companyId);
  const genesis = chainGenesisOf(companyId, await db.collection("companies").findOne({ _id: companyId }));
  const head = await loadChainHead(store, genesis);
  const checkpoints = await store
    .collection("audit_checkpoints")
    .find({ seq: { $lte: head.seq } }, { sort: { seq: 1 } });
  const seal = createExportSeal(keys, { ...genesis, at, checkpoints: checkpoints.length, head });
  yield exportLine({ type: "seal", ...seal });
  for (const key of keys.verifyKeys()) yield exportLine({ type: "key", ...key });
  for (const { _id, ...checkpoint } of checkpoints) yield exportLine({ type: "checkpoint", ...checkpoint });
  for await (const rows of readChainedRows(store, head.seq)) {
    yield rows.map((row) => exportLine({ type: "row", ...proofRowOf(row) })).join("");
  }
}

async function* readChainedRows(store: CompanyStore<Collections>, upTo: number): AsyncGenerator<AuditDocument[]> {
  for (let last = 0; last < upTo;) {
    const rows = await store
      .collection("audit_logs")
      .find({ seq: { $gt: last, $lte: upTo } }, { sort: { seq: 1 }, limit: chunk });
    const seq = rows.at(-1)?.seq;
    if (seq === undefined) return;
    last = seq;
    yield rows;
    await setImmediate();
  }
}

function exportLine(line: ExportLine): string {
  return `${JSON.stringify(line)}\n`;
}
