/**
 * Erases personal data from rows (`docs/spec/audit-log.md`). Deletes their salt and payload; the chain can still be
 * verified. A chained row records each erasure. Ids, action and time stay, because the chain covers them.
 */
import { AppError } from "#core/errors.ts";
import type { AuditDocument, Collections } from "../database/documents.ts";
import type { Database, Transaction } from "../database/port.ts";
import type { Origin } from "../http/call.ts";
import { chainPendingRows, chainRowsInTransaction } from "./chain.ts";
import { recordAudits } from "./record.ts";
import { refusals } from "./refusals.ts";

export interface Redaction {
  companyId: string;
  /** The numbers of the rows in the log. */
  rows: readonly number[];
  reason: string;
  at: string;
  origin: Origin;
}

const chunk = 200;
const redacted = "audit.redacted";

/**
 * Erases the payloads of rows.
 * @returns the numbers of the rows that this call erased
 * @throws AppError not_found for a missing row, conflict for the record of an erasure, which can't be erased
 */
export async function redactRows(db: Database<Collections>, { rows, ...how }: Redaction): Promise<number[]> {
  const wanted = [...new Set(rows)].sort((a, b) => a - b);
  const chunks = Array.from({ length: Math.ceil(wanted.length / chunk) }, (_, n) =>
    wanted.slice(n * chunk, (n + 1) * chunk),
  );
  // check all rows first, so that nothing is erased if one of them can't be
  for (const some of chunks) await loadErasableEntries(db, how.companyId, some);
  const erased: number[] = [];
  for (const some of chunks) erased.push(...(await db.transaction((tx) => redactBatch(tx, some, how))));
  return erased;
}

/**
 * Finds the numbers of the rows by and about a user. Chains pending rows first, because only chained rows have numbers.
 */
export async function chainAndFindRowNumbersOfUser(
  db: Database<Collections>,
  companyId: string,
  userId: string,
): Promise<number[]> {
  while ((await chainPendingRows(db, companyId, chunk)).chained === chunk);
  const rows = await db
    .forCompany(companyId)
    .collection("audit_logs")
    .find(
      { $or: [{ userId }, { entityType: "user", entityId: userId }], action: { $ne: redacted } },
      { sort: { seq: 1 }, projection: { seq: 1 } },
    );
  return rows.flatMap(({ seq }) => seq ?? []);
}

/**
 * Erases rows in one transaction with the record of the erasure, so that a verification never finds an erased row
 * without that record.
 */
async function redactBatch(
  tx: Transaction<Collections>,
  wanted: readonly number[],
  { companyId, reason, at, origin }: Omit<Redaction, "rows">,
): Promise<number[]> {
  const rows = await loadErasableEntries(tx, companyId, wanted);
  if (rows.length === 0) return [];
  await tx
    .forCompany(companyId)
    .collection("audit_logs")
    .updateMany(
      { _id: { $in: rows.map(({ _id }) => _id) } },
      { $set: { userName: null, changes: null, ipAddress: null, userAgent: null }, $unset: { salt: "" } },
    );
  await recordAudits(
    tx,
    rows.map(({ _id, seq }) => ({
      companyId,
      userId: null,
      userName: null,
      action: redacted,
      entityType: "audit",
      entityId: _id,
      changes: { seq, reason },
      at,
      origin,
    })),
  );
  while ((await chainRowsInTransaction(tx, companyId, chunk)).chained === chunk);
  return rows.flatMap(({ seq }) => seq ?? []);
}

/**
 * Loads the rows that aren't erased yet.
 * @throws AppError not_found for a missing row, conflict for the record of an erasure
 */
async function loadErasableEntries(
  store: Transaction<Collections>,
  companyId: string,
  wanted: readonly number[],
): Promise<AuditDocument[]> {
  const rows = await store
    .forCompany(companyId)
    .collection("audit_logs")
    .find({ seq: { $in: [...wanted] } }, { sort: { seq: 1 } });
  const known = new Set(rows.map(({ seq }) => seq));
  const unknown = wanted.find((seq) => !known.has(seq));
  if (unknown !== undefined) throw new AppError("not_found", refusals.unknownRow({ unknown }));
  const erasure = rows.find(({ action }) => action === redacted);
  if (erasure) throw new AppError("conflict", refusals.rowOfErasure({ seq: erasure.seq ?? "" }));
  return rows.filter(({ salt }) => salt !== undefined);
}
