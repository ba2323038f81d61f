import type { Collections, UserDocument } from "../database/documents.ts";
import type { Transaction } from "../database/port.ts";
import type { Origin } from "../http/call.ts";
import { recipientNamesOf, confirmedAddressOf, queueMail } from "../mail/outbox.ts";
import { endAccess } from "./end-access.ts";
import { recordAccountEvent } from "./record.ts";

export interface NewPassword {
  user: UserDocument;
  passwordHash: string;
  action: "account.password_reset" | "account.password_changed";
  at: string;
  origin: Origin;
  url: string;
  byOperator?: boolean | undefined;
}

/** Changes a user's password; no other code does. Ends all earlier sign-ins and notifies the user by email. */
export async function setPassword(
  tx: Transaction<Collections>,
  { user, passwordHash, action, at, origin, byOperator, url }: NewPassword,
): Promise<void> {
  await tx
    .collection("users")
    .updateOne({ _id: user._id }, { $set: { password: passwordHash, passwordChangedAt: at, updatedAt: at } });
  await endAccess(tx, user);
  await recordAccountEvent(tx, { user, action, at, origin, byOperator });
  await queueMail(tx, {
    companyId: user.companyId,
    to: confirmedAddressOf(user),
    template: "password-changed",
    at,
    values: { ...recipientNamesOf(user), at, url },
  });
}
