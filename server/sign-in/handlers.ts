import type { Context } from "koa";
import { AppError } from "#core/errors.ts";
import { messageAndReasonOf, sentences } from "#core/language/catalog.ts";
import type { UserDocument } from "../database/documents.ts";
import type { Handlers } from "../http/call.ts";
import { createKnownDevices } from "../http/known-devices.ts";
import type { Limiters } from "../http/limiters.ts";
import type { Services } from "../http/services.ts";
import { endSession } from "../http/session.ts";
import { canSendEmail } from "../mail/to-others.ts";
import { completeSignIn } from "./complete-sign-in.ts";
import { confirmEmail } from "./confirm-email.ts";
import { enqueueForgottenPassword } from "./forgot-password.ts";
import { findOpenInvitation } from "./invitations.ts";
import { passwordMinimum } from "./passwords.ts";
import { readNewestEventNumber, presentMe } from "./present.ts";
import { recordAccountEvent } from "./record.ts";
import { registerUser } from "./register.ts";
import { findOpenReset, resetPassword } from "./reset.ts";
import { createFirstAdmin, isSetupToken } from "./setup.ts";
import { checkCredentials } from "./sign-in.ts";
import { refusals } from "./refusals.ts";

const texts = sentences("server.sign-in", {
  linkSent: "If an account exists with this email address, a reset link has been sent. It is valid for 1 hour.",
  linkWritten:
    "If an account exists with this email address, a reset link is in the server's mail folder. It is valid for 1 hour.",
  invited: "You are invited to join {company}",
  validResetLink: "The reset link is valid",
});

export function authHandlers(services: Services, limiters: Limiters): Handlers<"auth"> {
  const { db, clock, config, companies } = services;
  const devices = createKnownDevices(db, clock, config.secure);

  const answerSignedIn = (ctx: Context, user: UserDocument) =>
    completeSignIn(services, limiters, { ctx, user, method: "password" });

  return {
    async check({ identity }) {
      const company = identity ? await companies.get(identity.user.companyId) : null;
      return {
        authenticated: identity !== null,
        userId: identity?.user._id ?? null,
        registration: config.registration,
        passwordMinimum: passwordMinimum(config, company?.settings.passwordMinimum),
        eventSeq: identity && (await readNewestEventNumber(services, identity.user.companyId)),
        address: services.address.url,
        sendsEmail: canSendEmail(config),
      };
    },

    async me({ identity }) {
      return { user: await presentMe(services, identity.user) };
    },

    async login({ body, ctx, origin }) {
      const username = body.username.trim().toLowerCase();
      const named = await db.collection("users").findOne({ username });
      const device = await devices.named(ctx, named?._id ?? "");
      const trusted = device === null ? null : `device ${device}`;
      const credentials = { username, password: body.password, address: ctx.ip, trusted };
      const user = await checkCredentials(services, limiters, credentials, origin);
      await recordAccountEvent(db, { user, action: "account.sign_in", at: clock.now(), origin });
      return answerSignedIn(ctx, user);
    },

    async register({ body, ctx, origin }) {
      const caller = { address: ctx.ip };
      const user = await limiters.takeName(caller, () => registerUser(services, limiters, body, origin));
      return answerSignedIn(ctx, user);
    },

    async invitation({ query }) {
      const found =
        query.token && config.registration !== "closed" ? await findOpenInvitation(db, query.token, clock.now()) : null;
      if (!found) return { valid: false, ...messageAndReasonOf(refusals.invalidInvitation()) };
      const { invitation, company } = found;
      const { role, email, invitedByName: invitedBy } = invitation;
      return {
        valid: true,
        ...messageAndReasonOf(texts.invited({ company: company.name })),
        company: company.name,
        role,
        email,
        invitedBy,
      };
    },

    async logout({ identity, ctx, origin }) {
      if (identity?.session)
        await recordAccountEvent(db, { user: identity.user, action: "account.sign_out", at: clock.now(), origin });
      endSession(ctx);
      return { ok: true };
    },

    async forgotPassword({ body, origin }) {
      if (await limiters.takeResetMail(body.email))
        await enqueueForgottenPassword(db, { email: body.email, at: clock.now(), origin });
      return { ok: true, ...messageAndReasonOf(canSendEmail(config) ? texts.linkSent() : texts.linkWritten()) };
    },

    async validateResetToken({ query }) {
      if (!query.token) return { valid: false, ...messageAndReasonOf(refusals.noResetLink()) };
      const found = await findOpenReset(db, query.token, clock.now());
      return {
        valid: found !== null,
        ...messageAndReasonOf(found ? texts.validResetLink() : refusals.invalidResetLink()),
      };
    },

    async resetPassword({ body, ctx, origin }) {
      const user = await resetPassword(services, body, origin);
      // the link proves who the user is, so wrong passwords of other people must not lock the user out now
      await devices.remember(ctx, user._id);
      endSession(ctx);
      return { ok: true };
    },

    async confirmEmail({ body, origin }) {
      await confirmEmail(services, body.token, origin);
      return { ok: true };
    },

    async setup({ body, ctx, origin }) {
      if (!(await isSetupToken(services, body.token))) {
        throw new AppError("forbidden", refusals.oldSetupLink());
      }
      const caller = { address: ctx.ip };
      const user = await limiters.takeName(caller, () => createFirstAdmin(services, body, origin));
      services.repositories.wake(user.companyId);
      return answerSignedIn(ctx, user);
    },
  };
}
