import type { Resource } from "#core/api/routes.ts";
import { AppError } from "#core/errors.ts";
import { newId } from "#core/ids.ts";
import type { Collections, CounterDocument, EventDocument } from "../database/documents.ts";
import type { Increments, Transaction } from "../database/port.ts";
import type { EventAudience } from "./recipients.ts";

/** Sends an event about records other than SOPs. Call in the transaction of the change, with `transactionFor`. */
export function sendEvent(
  tx: Transaction<Collections>,
  companyId: string,
  resources: readonly Resource[],
  at: string,
  /** The users who get the event; default: the whole company. */
  to?: readonly string[],
): Promise<void> {
  return storeEvent(tx, companyId, { resources, at, ...(to ? { to: [...to] } : {}) });
}

export interface NewEvent extends EventAudience, Pick<EventDocument, "at"> {
  resources: readonly Resource[];
  /** Amounts to add to the company's counters, besides the number of events. */
  counts?: Increments<CounterDocument>;
}

/**
 * Stores an event with the next number of the company.
 * @throws AppError damaged when the counters of the company are lost
 */
export async function storeEvent(
  tx: Transaction<Collections>,
  companyId: string,
  { counts = {}, ...event }: NewEvent,
): Promise<void> {
  const counters = await tx
    .collection("counters")
    .findOneAndUpdate({ _id: companyId }, { $inc: { ...counts, eventSeq: 1 } }, { returnDocument: "after" });
  if (!counters) throw new AppError("damaged");
  await insertEvent(tx, companyId, counters.eventSeq, event);
}

/** Stores an event whose number the caller has already taken from the company's counters. */
export function insertEvent(
  tx: Transaction<Collections>,
  companyId: string,
  seq: number,
  { resources, ...event }: Omit<NewEvent, "counts">,
): Promise<void> {
  return tx
    .forCompany(companyId)
    .collection("events")
    .insertOne({ _id: newId(), companyId, seq, resources: [...resources], ...event });
}
