/** The traces of every change of rights in its transaction: an audit row, and an event for open browsers. */
import type { Resource } from "#core/contract/route.ts";
import { recordAudit } from "../audit/record.ts";
import { assertStillSigned } from "../companies/effect.ts";
import type { Collections, EventDocument } from "../database/documents.ts";
import type { Transaction } from "../database/port.ts";
import { storeEvent } from "../events/send-event.ts";
import type { Call, Identity } from "../http/call.ts";
import { markCommitted } from "../http/idempotency.ts";

export type Signed = { identity: Identity } & Pick<Call, "origin" | "idempotency">;

export interface Effect {
  companyId: string;
  at: string;
  action: string;
  entityType: "sop" | "team" | "user" | "company";
  entityId: string;
  changes: Record<string, unknown>;
  resources: readonly Resource[];
  /** The one SOP of the event. Only sent to users who see latest versions, unless `readersSee`. */
  sopId?: string | null;
  /** The change is visible to readers, so the event can name the SOP to them. */
  readersSee?: boolean;
  /** Sends the event only to these browsers. */
  only?: Required<Pick<EventDocument, "to">> & Pick<EventDocument, "orHeads">;
  /** Other changes to the company's counters. */
  counts?: Record<string, number>;
}

/** @throws AppError not_found when the company is gone, unauthenticated if the user has just lost access */
export async function recordEffect(tx: Transaction<Collections>, call: Signed, effect: Effect): Promise<void> {
  const { companyId, at, action, entityType, entityId, changes, resources, counts = {} } = effect;
  const { sopId = null, readersSee = false, only = {} } = effect;
  const { user } = call.identity;
  await assertStillSigned(tx, call.identity);
  await storeEvent(tx, companyId, { resources, at, sopId, readersSee, counts, ...only });
  await recordAudit(tx, {
    companyId,
    userId: user._id,
    userName: user.name,
    action,
    entityType,
    entityId,
    changes,
    at,
    origin: call.origin,
  });
  if (call.idempotency) await markCommitted(tx, call.idempotency, entityId, at);
}
