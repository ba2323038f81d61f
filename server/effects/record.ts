/** Records the traces of a change once, in its transaction, so that no change goes without a trace. */
import type { Resource } from "#core/api/routes.ts";
import { printedName } from "#core/users/printed-name.ts";
import { recordAudits } from "../audit/record.ts";
import type { Collections, CounterDocument, UserDocument } from "../database/documents.ts";
import type { Steps, Transaction } from "../database/port.ts";
import type { EventAudience } from "../events/hearers.ts";
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
import { enqueueForFollowers } from "./follow.ts";
import { followers } from "./followers.ts";
import { assertStillSigned } from "./signed.ts";

export interface ChangeAuthor {
  /** The user who made the change; null for the server. */
  user: (Pick<UserDocument, "_id" | "name"> & { username?: string }) | null;
  origin: Origin | null;
  idempotency?: IdempotentRun | null;
  /** The identity of the request; absent if the change has checked the user itself. */
  identity?: Identity;
}

/** The author of a change, or the identity of its request. */
type ChangeAuthorOrIdentity = ChangeAuthor | (Omit<ChangeAuthor, "user"> & { identity: Identity });

export interface RecordedChange {
  companyId: string;
  at: string;
  /** The resources that browsers read again: in the whole company, unless users are named. Absent: in no browser. */
  hears?: EventAudience & { resources: readonly Resource[] };
  /** Amounts by which the change moves the company's other counters. */
  counts?: Steps<CounterDocument>;
  /** The number of the event, if the change has moved the counters already. */
  eventSeq?: number;
  /** The id to answer a repeat with the same idempotency key; default: the first row's entity. */
  answer?: string | null;
  /** Events that the rows caused, without audit entries of their own. */
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
 * Records the change. Writes the counters of the changed company and of the user's company. If two users revoke each
 * other's permissions at once, they conflict there, and the second one is checked again.
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
  if (identity) await assertStillSigned(tx, identity);
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
  await enqueueForFollowers(
    tx,
    followers,
    happened.map((one) => ({ ...one, companyId, at, actor })),
  );
  const { answer = rows[0]?.entityId ?? null } = change;
  if (idempotency) await markCommitted(tx, idempotency, answer, at);
}

function eventOfRow({ action, entityType, entityId, facts }: RecordedRow): EventWithFacts {
  // the compiler can't see that the facts of a row belong to the kind of its action
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
