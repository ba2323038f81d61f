import { randomBytes } from "node:crypto";
import { AppError } from "#core/errors.ts";
import { newId } from "#core/ids.ts";
import { createTokenText } from "#core/tokens/text.ts";
import { transactionFor } from "../database/turns.ts";
import type { TokenDocument } from "../database/documents.ts";
import { recordChange, type RecordedRow } from "../effects/record.ts";
import type { Handlers } from "../http/call.ts";
import type { Limiters } from "../http/limiters.ts";
import type { Services } from "../http/services.ts";
import { hashOf } from "../http/session.ts";
import { recipientNamesOf, confirmedAddressOf, queueMail } from "../mail/outbox.ts";
import { sentences } from "#core/language/catalog.ts";

const refusals = sentences("server.tokens.refusals", {
  tooMany: "You have {tokensPerUser} tokens: revoke one first",
});

const tokensPerUser = 50;
const day = 24 * 3600 * 1000;

export function tokenHandlers(services: Services, limiters: Limiters): Handlers<"tokens"> {
  const { db, clock, address } = services;
  const presentToken = (token: TokenDocument) => ({ ...token, id: token._id });
  const auditRow = (action: "token.create" | "token.revoke", token: TokenDocument): RecordedRow => ({
    action,
    entityType: "token",
    entityId: token._id,
    changes: {
      name: token.name,
      scopes: token.scopes,
      expiresAt: token.expiresAt,
      sessionVersion: token.sessionVersion,
    },
  });
  const eventForUser = (userId: string) => ({ resources: ["tokens"] as const, to: [userId] });

  return {
    async list({ identity }) {
      const own = db.forCompany(identity.actor.companyId).collection("tokens");
      const tokens = await own.find({ userId: identity.user._id }, { sort: { createdAt: -1 }, limit: tokensPerUser });
      return tokens.map(presentToken);
    },

    async create(call) {
      const { body, identity } = call;
      if (identity.user.email !== null) await limiters.takeOwnMail(identity.user._id);
      const text = createTokenText(randomBytes(128));
      const token: TokenDocument = {
        _id: newId(),
        companyId: identity.actor.companyId,
        userId: identity.user._id,
        name: body.name,
        hash: hashOf(text),
        hint: `${text.slice(0, 12)}…${text.slice(-4)}`,
        scopes: [...new Set(body.scopes)],
        sessionVersion: identity.user.sessionVersion,
        createdAt: clock.now(),
        expiresAt: new Date(clock.millis() + body.expiresInDays * day).toISOString(),
        lastUsedAt: null,
      };
      await transactionFor(db, token.companyId, async (tx) => {
        const own = tx.forCompany(token.companyId).collection("tokens");
        if ((await own.countDocuments({ userId: token.userId }, { limit: tokensPerUser })) >= tokensPerUser) {
          throw new AppError("limit_reached", refusals.tooMany({ tokensPerUser }));
        }
        await own.insertOne(token);
        const { companyId, userId, createdAt: at } = token;
        await recordChange(tx, call, { companyId, at, hears: eventForUser(userId) }, auditRow("token.create", token));
        await queueMail(tx, {
          companyId: token.companyId,
          to: confirmedAddressOf(identity.user),
          template: "token-created",
          at: token.createdAt,
          values: {
            ...recipientNamesOf(identity.user),
            token: token.name,
            scopes: token.scopes.join(", "),
            at: token.createdAt,
            expiresAt: token.expiresAt,
            url: address.url,
          },
        });
      });
      return { ...presentToken(token), token: text };
    },

    async revoke(call) {
      const { params } = call;
      const { companyId, userId } = call.identity.actor;
      await transactionFor(db, companyId, async (tx) => {
        const own = tx.forCompany(companyId).collection("tokens");
        const token = await own.findOne({ _id: params.id, userId });
        if (!token) throw new AppError("not_found");
        await own.deleteOne({ _id: token._id });
        await recordChange(
          tx,
          call,
          { companyId, at: clock.now(), hears: eventForUser(userId) },
          auditRow("token.revoke", token),
        );
      });
      return { ok: true };
    },
  };
}
