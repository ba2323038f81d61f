import { AppError } from "#core/errors.ts";
import { recordAudit } from "../audit/record.ts";
import { foundCompany } from "../companies/found.ts";
import type { Handlers, Origin } from "../http/call.ts";
import type { Limiters } from "../http/limiters.ts";
import type { Services } from "../http/services.ts";
import { endSession, startSession } from "../http/session.ts";
import { orderMail } from "../mail/outbox.ts";
import type { UserDocument } from "../database/documents.ts";
import { presentMe } from "./present.ts";
import { createFirstAdmin, isSetupToken } from "./setup.ts";
import { createAccount } from "./store.ts";

const refusedSignIn = "The username or the password is wrong";

export function authHandlers(services: Services, limiters: Limiters): Handlers<"auth"> {
  const { db, clock, config, companies, passwords } = services;

  const recordSignIn = (user: UserDocument, action: string, origin: Origin) =>
    recordAudit(db, {
      companyId: user.companyId,
      userId: user._id,
      userName: user.name,
      action,
      entityType: "user",
      entityId: user._id,
      at: clock.now(),
      origin,
    });

  return {
    async check({ identity }) {
      return {
        authenticated: identity !== null,
        userId: identity?.user._id ?? null,
        registration: config.registration,
      };
    },

    async me({ identity }) {
      return { user: await presentMe(services, identity.user) };
    },

    async login({ body, ctx, origin }) {
      const username = body.username.trim().toLowerCase();
      await limiters.takeSignIn(username, ctx.ip, clock);
      const user = await db.collection("users").findOne({ username });
      const matches = await passwords.verify(user?.password ?? null, body.password).catch(async (error: unknown) => {
        await limiters.returnSignIn(username, ctx.ip);
        throw error;
      });
      const company = user ? await companies.get(user.companyId) : null;
      if (!user || !matches || user.status !== "active" || company?.status !== "active") {
        if (user) await recordSignIn(user, "account.sign_in_failed", origin);
        throw new AppError("unauthenticated", refusedSignIn);
      }
      await limiters.signInSucceeded(username, ctx.ip);
      await db.collection("users").updateOne({ _id: user._id }, { $set: { lastLoginAt: clock.now() } });
      await recordSignIn(user, "account.sign_in", origin);
      const answer = { user: await presentMe(services, user) };
      await startSession(ctx, user);
      return answer;
    },

    async register({ body, ctx, origin }) {
      if (config.registration !== "open")
        throw new AppError("forbidden", "Registration is closed here: ask for an invitation");
      await passwords.assertAcceptable(body.password, [body.username]);
      const passwordHash = await passwords.hash(body.password);
      const at = clock.now();
      const user = await db.transaction(async (tx) => {
        const company = await foundCompany(tx, { name: `${body.name}'s company`, slug: body.username, at });
        const made = await createAccount(tx, {
          companyId: company._id,
          username: body.username,
          email: body.email || null,
          passwordHash,
          name: body.name,
          role: "company_admin",
          at,
        });
        await recordAudit(tx, {
          companyId: company._id,
          userId: made._id,
          userName: made.name,
          action: "account.register",
          entityType: "user",
          entityId: made._id,
          changes: { username: made.username, role: made.role, company: company.slug },
          at,
          origin,
        });
        await orderMail(tx, {
          companyId: company._id,
          to: made.email,
          template: "registered",
          at,
          values: { name: made.name, username: made.username, company: company.name, url: services.address.url },
        });
        return made;
      });
      const answer = { user: await presentMe(services, user) };
      await startSession(ctx, user);
      return answer;
    },

    async logout({ identity, ctx, origin }) {
      if (identity && identity.tokenId === null) await recordSignIn(identity.user, "account.sign_out", origin);
      endSession(ctx);
      return { ok: true };
    },

    async setup({ body, ctx, origin }) {
      if (!(await isSetupToken(services, body.token))) {
        throw new AppError(
          "forbidden",
          "This set-up link is not valid any more: the newest one was printed at the last start",
        );
      }
      const user = await createFirstAdmin(services, body, origin);
      const answer = { user: await presentMe(services, user) };
      await startSession(ctx, user);
      return answer;
    },
  };
}
