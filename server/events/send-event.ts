import type { Resource } from "#core/contract/route.ts";
import { AppError } from "#core/errors.ts";
import { newId } from "#core/ids.ts";
import type { Collections, EventDocument } from "../database/documents.ts";
import type { Transaction } from "../database/port.ts";

/** For changes to other records than SOPs. Runs in the change's transaction, in the company's turn (`transactionFor`). */
export function sendEvent(
  tx: Transaction<Collections>,
  companyId: string,
  resources: readonly Resource[],
  at: string,
  /** Only these users; the whole company unless given. */
  to?: readonly string[],
): Promise<void> {
  return storeEvent(tx, companyId, { resources, at, ...(to ? { to: [...to] } : {}) });
}

export interface NewEvent extends Pick<EventDocument, "at" | "readersSee" | "to" | "orHeads"> {
  resources: readonly Resource[];
  /** The one SOP it is about. */
  sopId?: string | null;
  /** Other changes to the company's counters. */
  counts?: Record<string, number>;
}

/** @throws AppError not_found when the company is gone */
export async function storeEvent(
  tx: Transaction<Collections>,
  companyId: string,
  { counts = {}, sopId = null, resources, ...word }: NewEvent,
): Promise<void> {
  const counters = await tx
    .collection("counters")
    .findOneAndUpdate({ _id: companyId }, { $inc: { ...counts, eventSeq: 1 } }, { returnDocument: "after" });
  if (!counters) throw new AppError("not_found");
  await tx
    .forCompany(companyId)
    .collection("events")
    .insertOne({ _id: newId(), companyId, seq: counters.eventSeq, resources: [...resources], sopId, ...word });
}
