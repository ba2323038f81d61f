/** What a change of a company, its people or invitations leaves behind in its transaction. */
import type { Resource } from "#core/contract/route.ts";
import { AppError } from "#core/errors.ts";
import { recordAudit } from "../audit/record.ts";
import type { Collections } from "../database/documents.ts";
import type { Transaction } from "../database/port.ts";
import { tellBrowsers } from "../events/tell.ts";
import type { Call, Identity } from "../http/call.ts";
import { markCarriedOut } from "../http/idempotency.ts";

export type Signed = { identity: Identity } & Pick<Call, "origin" | "idempotency">;

export interface CompanyEffect {
  /** Whose log holds it. */
  companyId: string;
  at: string;
  action: string;
  entityType: "company" | "user" | "invitation";
  entityId: string;
  changes: Record<string, unknown>;
  resources: readonly Resource[];
}

/**
 * Writes on the counters of both companies, the one changed and the asker's: two that take each other's rights at once meet
 * there, and the second one to come is checked again.
 * @throws AppError unauthenticated when the asker lost the right in the meantime
 */
export async function recordChange(
  tx: Transaction<Collections>,
  { identity, origin, idempotency }: Signed,
  { resources, ...entry }: CompanyEffect,
): Promise<void> {
  const { user } = identity;
  await assertStillSigned(tx, identity);
  for (const companyId of new Set([entry.companyId, user.companyId])) {
    await tellBrowsers(tx, companyId, resources, entry.at);
  }
  await recordAudit(tx, { ...entry, userId: user._id, userName: user.name, origin });
  if (idempotency) await markCarriedOut(tx, idempotency, entry.entityId, entry.at);
}

/** @throws AppError unauthenticated when another role, status or password of the asker was faster */
export async function assertStillSigned(tx: Transaction<Collections>, { user }: Identity): Promise<void> {
  const now = await tx.collection("users").findOne({ _id: user._id });
  const company = await tx.collection("companies").findOne({ _id: user.companyId });
  const same = now?.sessionVersion === user.sessionVersion && now.role === user.role && now.status === "active";
  if (!same || company?.status !== "active") throw new AppError("unauthenticated");
}
