import { AppError } from "#core/errors.ts";
import type { Collections } from "../database/documents.ts";
import type { Transaction } from "../database/port.ts";
import type { Call, Identity } from "../http/call.ts";

/** A request of a signed-in user. */
export type SignedInCall = { identity: Identity } & Pick<Call, "origin" | "idempotency">;

/**
 * Checks that the user still has access.
 * @throws AppError unauthenticated if the user's role, status or password has changed since the request was identified
 */
export async function assertStillSignedIn(tx: Transaction<Collections>, { user }: Identity): Promise<void> {
  const now = await tx.collection("users").findOne({ _id: user._id });
  const company = await tx.collection("companies").findOne({ _id: user.companyId });
  const same = now?.sessionVersion === user.sessionVersion && now.role === user.role && now.status === "active";
  if (!same || company?.status !== "active") throw new AppError("unauthenticated");
}
