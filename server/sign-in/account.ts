/** Handles calls about the user's own account: profile and password. */
import { AppError } from "#core/errors.ts";
import { searchKeysOfPerson } from "#core/search-keys.ts";
import { looksToStore } from "#core/users/looks.ts";
import { changedFieldValues } from "../audit/record.ts";
import type { UserDocument } from "../database/documents.ts";
import { transactionFor } from "../database/turns.ts";
import { recordChange } from "../effects/record.ts";
import type { Handlers } from "../http/call.ts";
import { assertProven } from "../http/proven.ts";
import { createKnownDevices } from "../http/known-devices.ts";
import type { Limiters } from "../http/limiters.ts";
import type { Services } from "../http/services.ts";
import { startSession } from "../http/session.ts";
import { recipientNamesOf, confirmedAddressOf, queueMail } from "../mail/outbox.ts";
import { countConfirmationEmail } from "../mail/to-others.ts";
import { assertEmailFree, assertNameFree, notifyOfRename } from "../users/own-identity.ts";
import { queueConfirmationMail } from "./confirm-email.ts";
import { loadSignedInUser, deleteResetLinks } from "./end-access.ts";
import { presentMe } from "./present.ts";
import { profileAfterChange, assertOwnImage } from "./profile.ts";
import { checkOwnPassword, storeProof } from "./prove.ts";
import { recordAccountEvent } from "./record.ts";
import { setPassword } from "./set-password.ts";
import { refusals } from "./refusals.ts";

export function accountHandlers(services: Services, limiters: Limiters): Handlers<"account"> {
  const { db, clock, config, companies, passwords, keys, address } = services;
  const devices = createKnownDevices(db, clock, config.secure);

  return {
    async update(call) {
      const { body, identity, origin } = call;
      const profile = profileAfterChange(identity.user, body);
      const asksForEmail = profile.email !== identity.user.email;
      const asksForName = profile.name !== identity.user.name;
      if (asksForEmail) {
        assertProven(identity, "email", clock);
        if (profile.email !== null) await countConfirmationEmail(services, limiters, identity.user, profile.email);
        if (identity.user.email !== null) await limiters.takeOwnMail(identity.user._id);
      }
      const changeProfile = () =>
        transactionFor(db, identity.user.companyId, async (tx) => {
          // loads the user again, to keep changes since the request started, and to refuse users who were signed out
          // since
          const user = await loadSignedInUser(tx, identity.user);
          const next = profileAfterChange(user, body);
          const newEmail = next.email !== user.email;
          if (newEmail && !asksForEmail) throw new AppError("conflict", refusals.changedEmail());
          if (next.name !== user.name && !asksForName) throw new AppError("conflict", refusals.changedName());
          const changes = changedFieldValues(profileAfterChange(user, {}), next);
          if (Object.keys(changes).length === 0) return user;
          const at = clock.now();
          if (next.name !== user.name) await assertNameFree(tx, user, next.name);
          if (newEmail) await assertEmailFree(tx, user, next.email);
          if (next.avatar !== user.avatar) await assertOwnImage(tx, user, next.avatar, at);
          const set = {
            ...next,
            ...searchKeysOfPerson({ ...user, ...next }),
            looks: looksToStore({ ...user, ...next }, user.looks),
            updatedAt: at,
            ...(newEmail ? { emailVerified: false, emailNamedBy: null } : {}),
          } satisfies Partial<UserDocument>;
          await tx.collection("users").updateOne({ _id: user._id }, { $set: set });
          await recordChange(
            tx,
            { user, origin },
            { companyId: user.companyId, at, hears: { resources: ["users", "me"] } },
            { action: "account.update", entityType: "user", entityId: user._id, changes },
          );
          await notifyOfRename(tx, { before: user, after: next.name, actor: user, at });
          const after = { ...user, ...set };
          if (!newEmail) return after;
          // reset links in the old mailbox must not open the account
          await deleteResetLinks(tx, user._id);
          await queueConfirmationMail(tx, keys, after, at);
          await queueMail(tx, {
            companyId: user.companyId,
            to: confirmedAddressOf(user),
            template: "email-changed",
            at,
            values: { ...recipientNamesOf(user), at, url: address.url },
          });
          return after;
        });
      const changed = await (asksForName ? limiters.renameOwn(identity.user._id, changeProfile) : changeProfile());
      return { user: await presentMe(services, changed) };
    },

    async sendConfirmation({ identity, origin }) {
      const { email, emailVerified } = identity.user;
      if (email === null) throw new AppError("conflict", refusals.emailNeeded());
      if (emailVerified) throw new AppError("conflict", refusals.confirmedAlready());
      await countConfirmationEmail(services, limiters, identity.user, email);
      await transactionFor(db, identity.user.companyId, async (tx) => {
        const user = await loadSignedInUser(tx, identity.user);
        const at = clock.now();
        await queueConfirmationMail(tx, keys, user, at);
        await recordAccountEvent(tx, { user, action: "account.email_confirmation", at, origin });
      });
      return { ok: true };
    },

    async prove(call) {
      await checkOwnPassword(services, limiters, call);
      await storeProof(services, "password", call);
      return { ok: true };
    },

    async changePassword(call) {
      const { body, identity, ctx, origin } = call;
      const { user } = identity;
      await checkOwnPassword(services, limiters, call);
      if (user.email !== null) await limiters.takeOwnMail(user._id);
      const company = await companies.get(user.companyId);
      await passwords.assertAcceptable(body.newPassword, {
        field: "newPassword",
        ownWords: [user.username, user.name, company?.name ?? ""],
        companyMinimum: company?.settings.passwordMinimum ?? null,
      });
      const passwordHash = await passwords.hash(body.newPassword);
      const changed = await db.transaction(async (tx) => {
        const current = await loadSignedInUser(tx, user);
        const change = { user: current, passwordHash, at: clock.now(), origin, url: address.url };
        await setPassword(tx, { ...change, action: "account.password_changed" });
        return { ...current, sessionVersion: current.sessionVersion + 1 };
      });
      const answer = { user: await presentMe(services, changed) };
      await devices.remember(ctx, user._id);
      await startSession(ctx, changed, [{ method: "password", at: clock.now() }]);
      return answer;
    },
  };
}
