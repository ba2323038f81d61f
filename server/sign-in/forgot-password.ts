/**
 * Queues the job of "Forgot password". The request does nothing else, so that its answer can't reveal if the address is
 * known.
 */
import { printedName } from "#core/users/printed-name.ts";
import type { Collections, UserDocument } from "../database/documents.ts";
import type { Store } from "../database/port.ts";
import { recordAudit } from "../audit/record.ts";
import type { Origin } from "../http/call.ts";
import { enqueueOutboxItem, type OutboxHandler } from "../jobs/outbox.ts";
import type { Limiters } from "../http/limiters.ts";
import type { Services } from "../http/services.ts";
import { countUnconfirmedResetEmail } from "../mail/to-others.ts";
import { issuePasswordReset, findUsersWithEmail } from "./issue-reset.ts";

export async function enqueueForgottenPassword(
  store: Store<Collections>,
  { email, at, origin }: { email: string; at: string; origin: Origin },
): Promise<void> {
  await enqueueOutboxItem(store, { companyId: null, kind: "password-forgotten", payload: { email, origin }, at });
}

/** Creates the handler of that job: it queues an email with a link for each user with the address who can get one. */
export function createForgottenPasswordHandler(
  services: Pick<Services, "db" | "clock" | "keys" | "address" | "companies">,
  limiters: Pick<Limiters, "takeEmailOfDay">,
): OutboxHandler {
  const { db, clock, keys, address } = services;
  return async ({ payload }) => {
    const { email, origin } = payload as { email: string; origin: Origin };
    const users: UserDocument[] = [];
    for (const user of await findUsersWithEmail(db, email))
      if (user.emailVerified || (await countUnconfirmedResetEmail(services, limiters, user))) users.push(user);
    if (users.length === 0) return;
    const at = clock.now();
    await db.transaction(async (tx) => {
      for (const user of users) {
        await issuePasswordReset(tx, keys, { user, at, url: address.url });
        await recordAudit(tx, {
          companyId: user.companyId,
          userId: user._id,
          userName: printedName(user),
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
