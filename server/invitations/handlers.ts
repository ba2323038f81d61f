import { randomBytes } from "node:crypto";
import { invitationStateOf } from "#core/invitations/rules.ts";
import { assignableRoles } from "#core/permissions/roles.ts";
import { AppError } from "#core/errors.ts";
import { newId } from "#core/ids.ts";
import { printedName } from "#core/users/printed-name.ts";
import { limits } from "#core/limits.ts";
import { recordChange, type RecordedRow } from "../effects/record.ts";
import { assertBelowLimit } from "../companies/most.ts";
import { updatedOptionalText } from "../companies/record.ts";
import { transactionFor } from "../database/turns.ts";
import type { InvitationDocument } from "../database/documents.ts";
import type { Filter } from "../database/port.ts";
import type { Handlers } from "../http/call.ts";
import type { Limiters } from "../http/limiters.ts";
import { hashOf } from "../http/secrets.ts";
import type { Services } from "../http/services.ts";
import { countEmailTo } from "../mail/to-others.ts";
import { assertRolesAssignable } from "../users/managed-roles.ts";
import { invitationLink, queueInvitationMail } from "./mail.ts";
import { findOtherOpenInvitations, revokeOpenInvitations } from "./open-to.ts";
import { sentences } from "#core/language/catalog.ts";
import { invalidCursorError } from "../http/invalid-cursor.ts";

const refusals = sentences("server.invitations.refusals", {
  closed: "This invitation was {how, select, used {used} other {revoked}} already",
});

const dayMs = 24 * 3_600_000;

export function invitationHandlers(
  services: Services,
  limiters: Pick<Limiters, "takeMailTo" | "takeEmailOfDay">,
): Handlers<"invitations"> {
  const { db, clock, address, keys } = services;

  async function presentInvitations(invitations: readonly InvitationDocument[], companyId: string) {
    const ids = invitations.flatMap(({ usedBy }) => usedBy ?? []);
    const users = await db
      .forCompany(companyId)
      .collection("users")
      .find({ _id: { $in: ids } }, { projection: { name: 1, username: 1 } });
    const names = new Map(users.map((user) => [user._id, printedName(user)]));
    return invitations.map((invitation) => ({
      ...invitation,
      id: invitation.key,
      state: invitationStateOf(invitation, clock.now()),
      usedByName: names.get(invitation.usedBy ?? "") ?? null,
    }));
  }

  return {
    async list({ identity, query: { limit, cursor, total } }) {
      const { companyId } = identity.actor;
      const invitations = db.forCompany(companyId).collection("invitations");
      const found = await invitations.find(cursor === undefined ? {} : olderInvitationsFilter(cursor), {
        sort: { createdAt: -1, key: -1 },
        limit: limit + 1,
      });
      const rows = found.slice(0, limit);
      const last = rows.at(-1);
      return {
        data: await presentInvitations(rows, companyId),
        ...(found.length > limit && last ? { nextCursor: writeCursor(last) } : {}),
        ...(total === "true" ? { total: await invitations.countDocuments({}) } : {}),
      };
    },

    async create(call) {
      const { body, identity } = call;
      const { user, actor } = identity;
      assertRolesAssignable(user.role, body.role);
      const unsent = body.email ? await countEmailTo(services, limiters, user, body.email) : null;
      const [token, proof] = [randomBytes(32).toString("base64url"), randomBytes(16).toString("base64url")];
      const isSent = Boolean(body.email) && unsent === null;
      const at = clock.now();
      const invitation: InvitationDocument = {
        _id: hashOf(token),
        companyId: actor.companyId,
        key: newId(),
        role: body.role,
        email: updatedOptionalText(body.email),
        ...(isSent ? { proof: hashOf(proof) } : {}),
        invitedBy: user._id,
        invitedByName: printedName(user),
        createdAt: at,
        expiresAt: new Date(Date.parse(at) + body.expiresInDays * dayMs).toISOString(),
        usedAt: null,
        usedBy: null,
        revokedAt: null,
      };
      const { companyId, key, role, email, expiresAt } = invitation;
      const replaced = await transactionFor(db, companyId, async (tx) => {
        const earlier = await findOtherOpenInvitations(tx, invitation, at);
        // users can revoke invitations to the roles that they can invite to
        const mine = earlier.filter((one) => assignableRoles(user.role).includes(one.role));
        await revokeOpenInvitations(tx, mine, at);
        const open = { usedAt: null, revokedAt: null, expiresAt: { $gt: at } };
        const own = tx.forCompany(companyId).collection("invitations");
        const taken = await own.countDocuments(open, { limit: limits.openInvitations });
        assertBelowLimit(limits.openInvitations, taken, "invitations");
        await own.insertOne(invitation);
        if (isSent) await queueInvitationMail(tx, keys, invitation, `${token}.${proof}`);
        await recordChange(
          tx,
          call,
          { companyId, at, hears: { resources: ["invitations"] }, answer: key },
          ...mine.map(revocationAuditRow),
          { action: "invitation.create", entityType: "invitation", entityId: key, changes: { role, email, expiresAt } },
        );
        return mine.length > 0;
      });
      const [presented] = await presentInvitations([invitation], companyId);
      if (!presented) throw new AppError("not_found");
      return {
        ...presented,
        link: invitationLink(address.url, token),
        ...(replaced && { replaced }),
        ...(unsent !== null && { unsent }),
      };
    },

    async revoke(call) {
      const { params, identity } = call;
      const { companyId } = identity.actor;
      const at = clock.now();
      await transactionFor(db, companyId, async (tx) => {
        const invitations = tx.forCompany(companyId).collection("invitations");
        const invitation = await invitations.findOne({ key: params.id });
        if (!invitation) throw new AppError("not_found");
        assertRolesAssignable(identity.user.role, invitation.role);
        const revoked = await invitations.updateOne(
          { key: params.id, usedAt: null, revokedAt: null },
          { $set: { revokedAt: at } },
        );
        if (revoked.matchedCount === 0)
          throw new AppError("conflict", refusals.closed({ how: invitation.usedAt ? "used" : "revoked" }));
        await recordChange(
          tx,
          call,
          { companyId, at, hears: { resources: ["invitations"] } },
          revocationAuditRow(invitation),
        );
      });
      return { ok: true };
    },
  };
}

const revocationAuditRow = ({ key, role, email }: InvitationDocument): RecordedRow => ({
  action: "invitation.revoke",
  entityType: "invitation",
  entityId: key,
  changes: { role, email },
});

function writeCursor({ createdAt, key }: InvitationDocument): string {
  return Buffer.from(`${createdAt} ${key}`).toString("base64url");
}

function olderInvitationsFilter(cursor: string): Filter<InvitationDocument> {
  const [, at, key] =
    /^(\d{4}-\d\d-\d\dT[\d:.]+Z) ([0-9a-f-]{36})$/.exec(Buffer.from(cursor, "base64url").toString()) ?? [];
  if (at === undefined || key === undefined) throw invalidCursorError();
  return { $or: [{ createdAt: { $lt: at } }, { createdAt: at, key: { $lt: key } }] };
}
