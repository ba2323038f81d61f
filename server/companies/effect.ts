/** The traces of a change to a company, its people or invitations, in the same transaction. */
import type { Resource } from "#core/contract/route.ts";
import { AppError } from "#core/errors.ts";
import { recordAudit } from "../audit/record.ts";
import type { Collections } from "../database/documents.ts";
import type { Transaction } from "../database/port.ts";
import { sendEvent } from "../events/send-event.ts";
import type { Call, Identity } from "../http/call.ts";
import { markCommitted } from "../http/idempotency.ts";

export type Signed = { identity: Identity } & Pick<Call, "origin" | "idempotency">;

export interface CompanyEffect {
  /** The company whose log gets it. */
  companyId: string;
  at: string;
  action: string;
  entityType: "company" | "user" | "invitation";
  entityId: string;
  changes: Record<string, unknown>;
  resources: readonly Resource[];
}

/**
 * Writes on the counters of both companies, the changed one and the user's. Two users who revoke each other's rights at
 * once conflict there, and the second one is checked again.
 * @throws AppError unauthenticated if the user has just lost the right
 */
export async function recordChange(
  tx: Transaction<Collections>,
  { identity, origin, idempotency }: Signed,
  { resources, ...entry }: CompanyEffect,
): Promise<void> {
  const { user } = identity;
  await assertStillSigned(tx, identity);
  for (const companyId of new Set([entry.companyId, user.companyId])) {
    await sendEvent(tx, companyId, resources, entry.at);
  }
  await recordAudit(tx, { ...entry, userId: user._id, userName: user.name, origin });
  if (idempotency) await markCommitted(tx, idempotency, entry.entityId, entry.at);
}

/** @throws AppError unauthenticated if the user's role, status or password changed first */
export async function assertStillSigned(tx: Transaction<Collections>, { user }: Identity): Promise<void> {
  const now = await tx.collection("users").findOne({ _id: user._id });
  const company = await tx.collection("companies").findOne({ _id: user.companyId });
  const same = now?.sessionVersion === user.sessionVersion && now.role === user.role && now.status === "active";
  if (!same || company?.status !== "active") throw new AppError("unauthenticated");
}
