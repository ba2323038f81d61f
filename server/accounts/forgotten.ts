/** "Forgot password": the request only leaves a note, so that its answer can't tell whether somebody has the address. */
import type { Collections } from "../database/documents.ts";
import type { Store } from "../database/port.ts";
import { recordAudit } from "../audit/record.ts";
import type { Origin } from "../http/call.ts";
import { enqueue, type OutboxHandler } from "../jobs/outbox.ts";
import { issuePasswordReset, usersWithEmail, type ResetMails } from "./issue-reset.ts";

export async function noteForgotten(
  store: Store<Collections>,
  { email, at, origin }: { email: string; at: string; origin: Origin },
): Promise<void> {
  await enqueue(store, { companyId: null, kind: "password-forgotten", payload: { email, origin }, at });
}

/** Looks who has the address: a link for each of them. */
export function forgottenHandler({ db, clock, keys, address }: ResetMails): OutboxHandler {
  return async ({ payload }) => {
    const { email, origin } = payload as { email: string; origin: Origin };
    const users = await usersWithEmail(db, email);
    if (users.length === 0) return;
    const at = clock.now();
    await db.transaction(async (tx) => {
      for (const user of users) {
        await issuePasswordReset(tx, keys, { user, at, url: address.url });
        await recordAudit(tx, {
          companyId: user.companyId,
          userId: user._id,
          userName: user.name,
          action: "account.password_forgotten",
          entityType: "user",
          entityId: user._id,
          at,
          origin,
        });
      }
    });
  };
}
