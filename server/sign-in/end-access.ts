/** Ends all sessions and tokens of a user after a change of password, role or status (`docs/security.md`, Sessions). */
import { AppError } from "#core/errors.ts";
import type { Collections, UserDocument } from "../database/documents.ts";
import type { Transaction } from "../database/port.ts";

/**
 * Ends every session and token of the user, forgets the user's known devices and cancels unused reset links, in the
 * transaction of the change. Raises the session version, which also stops a sign-in in progress.
 */
export async function endAccess(tx: Transaction<Collections>, user: { _id: string; companyId: string }): Promise<void> {
  await tx.collection("users").updateOne({ _id: user._id }, { $inc: { sessionVersion: 1 } });
  await tx.collection("sessions").deleteMany({ userId: user._id });
  await tx.forCompany(user.companyId).collection("tokens").deleteMany({ userId: user._id });
  await tx.collection("known_devices").deleteMany({ userId: user._id });
  await deleteResetLinks(tx, user._id);
}

/**
 * Loads the user's present record, in the transaction of a change to the user's own account.
 * @throws AppError unauthenticated if the user's access ended since the request began
 */
export async function loadSignedInUser(
  tx: Transaction<Collections>,
  { _id, sessionVersion }: Pick<UserDocument, "_id" | "sessionVersion">,
): Promise<UserDocument> {
  const user = await tx.collection("users").findOne({ _id, status: "active", sessionVersion });
  if (!user) throw new AppError("unauthenticated");
  return user;
}

/** Deletes unused reset links of the user. Used links stay until expired documents are removed. */
export async function deleteResetLinks(tx: Transaction<Collections>, userId: string): Promise<void> {
  await tx.collection("password_resets").deleteMany({ userId, usedAt: null });
}
