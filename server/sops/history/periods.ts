/**
 * Stores the periods in which each version was published. Every write updates them, so that reads can ask for a past
 * date.
 */
import { newId } from "#core/ids.ts";
import type { Collections, PublishedPeriodDocument, SopDocument } from "../../database/documents.ts";
import type { Database, Transaction } from "../../database/port.ts";

/** Ends the open period and begins a new one, if the write changed which version is published. */
export async function updatePublishedPeriods(
  tx: Transaction<Collections>,
  before: SopDocument | null,
  after: SopDocument,
  at: string,
): Promise<void> {
  const was = before?.hasPublished ? before.published : null;
  const is = after.hasPublished ? after.published : null;
  if (was?.version === is?.version) return;
  const periods = tx.forCompany(after.companyId).collection("published_periods");
  if (was) await periods.updateMany({ sopId: after._id, until: null }, { $set: { until: at } });
  if (!is) return;
  const { version, title, contentHash, changeClass, changeNote, effective } = is;
  const chosen = effective === undefined ? {} : { effective };
  const answers = { ...(changeClass && { changeClass }), ...(changeNote && { changeNote }), ...chosen };
  const period = { companyId: after.companyId, sopId: after._id, version, title, contentHash, ...answers };
  await periods.insertOne({ _id: newId(), ...period, from: at, until: null });
}

/** Finds the version published at a moment; null if there is none. A period includes its start and excludes its end. */
export async function findPublishedPeriodAt(
  { db }: { db: Database<Collections> },
  sop: Pick<SopDocument, "_id" | "companyId">,
  at: string,
): Promise<PublishedPeriodDocument | null> {
  const periods = db.forCompany(sop.companyId).collection("published_periods");
  const [last] = await periods.find({ sopId: sop._id, from: { $lte: at } }, { sort: { from: -1 }, limit: 1 });
  return last && (last.until === null || last.until > at) ? last : null;
}
