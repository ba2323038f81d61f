/** Notifies readers after the write that publishes a version. Thousands of readers must not delay it. */
import type { SopDocument } from "../database/documents.ts";
import { enqueue } from "../jobs/outbox.ts";
import { asksOf, type Tx } from "./audience.ts";

export const noticesKind = "acknowledgements";

/** In the transaction of the change. @returns whether one of these SOPs asks its readers to confirm */
export async function orderNotices(tx: Tx, companyId: string, sopIds: readonly string[], at: string): Promise<boolean> {
  if (sopIds.length === 0) return false;
  const asks = await asksOf(tx, companyId).find({ sopId: { $in: [...sopIds] } }, { projection: { sopId: 1 } });
  for (const { sopId } of asks) await enqueue(tx, { companyId, kind: noticesKind, payload: { sopId }, at });
  return asks.length > 0;
}

/** The SOPs whose published version a write changed or removed. */
export function changedPublications(
  writes: readonly { before: SopDocument | null; steps: readonly { sop: SopDocument }[] }[],
): string[] {
  return writes.flatMap(({ before, steps }) => {
    const after = steps.at(-1)?.sop;
    return after && publishedVersionOf(before) !== publishedVersionOf(after) ? [after._id] : [];
  });
}

function publishedVersionOf(sop: SopDocument | null): number | null {
  return sop?.hasPublished ? (sop.published?.version ?? null) : null;
}
