import { AppError } from "#core/errors.ts";
import type { SessionDocument, UserDocument } from "../database/documents.ts";
import { transactionFor } from "../database/turns.ts";
import { recordChange } from "../effects/record.ts";
import type { Handlers } from "../http/call.ts";
import { hashOf } from "../http/secrets.ts";
import type { Services } from "../http/services.ts";

/** Returns the id of a session for lists. The stored key stays internal. */
const publicSessionId = ({ _id }: Pick<SessionDocument, "_id">) => hashOf(`session ${_id}`);

export function sessionHandlers({ db, clock }: Pick<Services, "db" | "clock">): Handlers<"sessions"> {
  const entityOf = ({ _id }: UserDocument) => ({ entityType: "user", entityId: _id });
  const changeOf = ({ _id, companyId }: UserDocument) => ({
    companyId,
    at: clock.now(),
    hears: { resources: ["sessions"] as const, to: [_id] },
  });
  const findActiveSessions = (userId: string) =>
    db
      .collection("sessions")
      .find({ userId, expiresAt: { $gt: clock.now() } }, { sort: { createdAt: -1 }, limit: 100 });

  return {
    async list({ identity: { user, session: current } }) {
      const own = await findActiveSessions(user._id);
      const versioned = own.filter(({ sessionVersion }) => sessionVersion === user.sessionVersion);
      return versioned.map((session) => ({
        ...session,
        id: publicSessionId(session),
        current: session._id === current?._id,
      }));
    },

    async end(call) {
      const { params, identity } = call;
      const { user } = identity;
      const named = (await findActiveSessions(user._id)).find((session) => publicSessionId(session) === params.id);
      if (!named) throw new AppError("not_found");
      await transactionFor(db, user.companyId, async (tx) => {
        await tx.collection("sessions").deleteOne({ _id: named._id });
        const changes = { session: params.id, startedAt: named.createdAt, of: named.userAgent };
        await recordChange(tx, call, changeOf(user), { action: "account.session_ended", ...entityOf(user), changes });
      });
      return { ok: true };
    },

    async endOthers(call) {
      const { user, session } = call.identity;
      await transactionFor(db, user.companyId, async (tx) => {
        const ended = await tx
          .collection("sessions")
          .deleteMany({ userId: user._id, _id: { $ne: session?._id ?? "" } });
        if (ended === 0) return;
        const changes = { sessions: ended };
        await recordChange(tx, call, changeOf(user), { action: "account.sessions_ended", ...entityOf(user), changes });
      });
      return { ok: true };
    },
  };
}
