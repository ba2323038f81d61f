/** Ends all ways a user is signed in, after a change of password, role or status (`docs/security.md`, Sessions). */
import { AppError } from "#core/errors.ts";
import type { Collections, UserDocument } from "../database/documents.ts";
import type { Transaction } from "../database/port.ts";

/**
 * In the transaction of the change. Ends every session and token of the user and voids pending reset links; the raised
 * version also stops a sign-in that is under way.
 */
export async function endAccess(tx: Transaction<Collections>, user: { _id: string; companyId: string }): Promise<void> {
  await tx.collection("users").updateOne({ _id: user._id }, { $inc: { sessionVersion: 1 } });
  await tx.collection("sessions").deleteMany({ userId: user._id });
  await tx.forCompany(user.companyId).collection("tokens").deleteMany({ userId: user._id });
  await tx.collection("known_devices").deleteMany({ userId: user._id });
  await voidResets(tx, user._id);
}

/**
 * The record as it is now. In the transaction of what a signed-in user does with the own account.
 * @throws AppError unauthenticated when another password, role or status was faster
 */
export async function stillSignedIn(
  tx: Transaction<Collections>,
  { _id, sessionVersion }: Pick<UserDocument, "_id" | "sessionVersion">,
): Promise<UserDocument> {
  const user = await tx.collection("users").findOne({ _id, status: "active", sessionVersion });
  if (!user) throw new AppError("unauthenticated");
  return user;
}

/** Links that were used stay as they are until they are swept. */
export async function voidResets(tx: Transaction<Collections>, userId: string): Promise<void> {
  await tx.collection("password_resets").deleteMany({ userId, usedAt: null });
}
