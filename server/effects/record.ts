/**
 * Records a change in its transaction: the audit entry, the event for browsers and the work of followers. So no change
 * is stored without them.
 */
import type { Resource } from "#core/api/routes.ts";
import { printedName } from "#core/users/printed-name.ts";
import { recordAudits } from "../audit/record.ts";
import type { Collections, CounterDocument, UserDocument } from "../database/documents.ts";
import type { Increments, Transaction } from "../database/port.ts";
import type { EventAudience } from "../events/recipients.ts";
import { insertEvent, storeEvent } from "../events/send-event.ts";
import type { Identity, Origin, IdempotentRun } from "../http/call.ts";
import { markCommitted } from "../http/idempotency.ts";
import {
  kinds,
  type PlainAction,
  type ApprovalAction,
  type ApprovalFacts,
  type EventWithFacts,
  type MemberAction,
  type MemberFacts,
  type AuditedSopAction,
  type SopEventFacts,
} from "./events.ts";
import { runAndEnqueueFollowers } from "./follow.ts";
import { followers } from "./followers.ts";
import { assertStillSignedIn } from "./signed.ts";

export interface ChangeAuthor {
  /** The user who made the change; null for the server. */
  user: (Pick<UserDocument, "_id" | "name"> & { username?: string }) | null;
  origin: Origin | null;
  idempotency?: IdempotentRun | null;
  /** The identity of the request; absent if the caller has checked that the user still has access. */
  identity?: Identity;
}

/** The author of a change, as a user or by the identity of the request. */
type ChangeAuthorOrIdentity = ChangeAuthor | (Omit<ChangeAuthor, "user"> & { identity: Identity });

export interface RecordedChange {
  companyId: string;
  at: string;
  /**
   * The resources that browsers load again, and the users whose browsers do so: all users of the company if no users
   * are named. If absent, no browser gets an event.
   */
  hears?: EventAudience & { resources: readonly Resource[] };
  /** Amounts to add to the company's counters, besides the number of events. */
  counts?: Increments<CounterDocument>;
  /** The number of the event, if the caller has increased the counters already. */
  eventSeq?: number;
  /** The id for the answer to a repeat with the same idempotency key; default: the id in the first row. */
  answer?: string | null;
  /** Further events that followers get, without audit entries. */
  consequences?: readonly EventWithFacts[];
}

/** An audit entry, and the facts of its event. */
export type RecordedRow = {
  entityType: string;
  entityId: string | null;
  /** Field → {from, to}, or other facts, but never secrets. */
  changes?: Record<string, unknown>;
} & (
  | { action: AuditedSopAction; facts: SopEventFacts }
  | { action: ApprovalAction; facts: ApprovalFacts }
  | { action: MemberAction; facts: MemberFacts }
  | { action: PlainAction; facts?: undefined }
);

export const byServer: ChangeAuthor = { user: null, origin: null };

/**
 * Records the change. Always writes the counters of the changed company and of the user's company, so that two users
 * who revoke each other's permissions at once conflict, and the second change is checked again.
 * @throws AppError unauthenticated if the user has just lost access, not_found when the company is deleted, conflict
 * when a repeat of the request was faster
 */
export async function recordChange(
  tx: Transaction<Collections>,
  by: ChangeAuthorOrIdentity,
  change: RecordedChange,
  ...rows: readonly RecordedRow[]
): Promise<void> {
  const { companyId, at, consequences = [] } = change;
  const { identity, origin, idempotency } = by;
  const user = "user" in by ? by.user : by.identity.user;
  if (identity) await assertStillSignedIn(tx, identity);
  await sendChangeEvent(tx, change);
  if (identity && change.hears && identity.user.companyId !== companyId)
    await sendChangeEvent(tx, { companyId: identity.user.companyId, at, hears: change.hears });
  const who = { userId: user?._id ?? null, userName: user && printedName(user), origin };
  if (rows.length > 0)
    await recordAudits(
      tx,
      rows.map(({ facts: _facts, ...row }) => ({ companyId, at, ...who, ...row })),
    );
  const actor = user && {
    _id: user._id,
    name: user.name,
    ...(user.username === undefined ? {} : { username: user.username }),
  };
  const happened = [...consequences, ...rows.map(eventOfRow)];
  await runAndEnqueueFollowers(
    tx,
    followers,
    happened.map((one) => ({ ...one, companyId, at, actor })),
  );
  const { answer = rows[0]?.entityId ?? null } = change;
  if (idempotency) await markCommitted(tx, idempotency, answer, at);
}

function eventOfRow({ action, entityType, entityId, facts }: RecordedRow): EventWithFacts {
  // the type of a row ensures that the facts fit the action, but the compiler can't see that here
  return { kind: kinds[action], entityType, entityId, facts: facts ?? null } as EventWithFacts;
}

async function sendChangeEvent(
  tx: Transaction<Collections>,
  { companyId, at, hears, counts = {}, eventSeq }: RecordedChange,
): Promise<void> {
  if (!hears) return;
  if (eventSeq === undefined) await storeEvent(tx, companyId, { at, counts, ...hears });
  else await insertEvent(tx, companyId, eventSeq, { at, ...hears });
}
