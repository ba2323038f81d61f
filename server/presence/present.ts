/** Lists the users who edit an SOP, as a reader of the SOP can see them now. */
import type { Actor } from "#core/permissions/actor.ts";
import { canBeShownAsEditing, canSeePresence } from "#core/presence/rules.ts";
import type { Presence } from "#core/presence/schemas.ts";
import type { Projection } from "../database/port.ts";
import type { PresenceDocument, SopDocument, UserDocument } from "../database/documents.ts";
import { findValidCredentials } from "../events/credentials.ts";
import { actorOf } from "../http/identify.ts";
import type { Services } from "../http/services.ts";

type PresenceServices = Pick<Services, "db" | "clock">;

const toldAtMost = 100;
const fields: Projection<UserDocument> = { companyId: 1, name: 1, initials: 1, role: 1, teamIds: 1, permissions: 1 };

export async function presentPresence(
  { db, clock }: PresenceServices,
  actor: Actor,
  sop: SopDocument,
): Promise<Presence> {
  if (!canSeePresence(actor, sop)) return { people: [], ownTabs: [] };
  const found = await db
    .forCompany(sop.companyId)
    .collection("presences")
    .find({ sopId: sop._id, expiresAt: { $gt: clock.now() } }, { sort: { since: 1 }, limit: toldAtMost });
  const valid = await findValidSessionIds({ db }, found, clock.now());
  const here = found.filter(({ sessionId }) => valid.has(sessionId));
  const others = [...new Set(here.flatMap(({ userId }) => (userId === actor.userId ? [] : [userId])))];
  return {
    people: await presentEditors({ db, clock }, sop, others),
    ownTabs: here.flatMap(({ userId, tab }) => (userId === actor.userId ? [tab] : [])),
  };
}

/** Finds the ids of those sessions of these presences that are still signed in. */
export function findValidSessionIds(
  { db }: Pick<PresenceServices, "db">,
  presences: readonly Pick<PresenceDocument, "sessionId">[],
  now: string,
): Promise<Set<string>> {
  const ids = new Set(presences.map(({ sessionId }) => sessionId));
  return findValidCredentials(
    db,
    [...ids].map((id) => ({ kind: "sessions", id })),
    now,
  );
}

/** Lists the users who can still edit the SOP, in the order of `ids`. */
async function presentEditors(
  { db, clock }: PresenceServices,
  sop: SopDocument,
  ids: readonly string[],
): Promise<Presence["people"]> {
  if (ids.length === 0) return [];
  const company = await db.collection("companies").findOne({ _id: sop.companyId });
  const users = await db
    .forCompany(sop.companyId)
    .collection("users")
    .find({ _id: { $in: [...ids] }, status: "active" }, { projection: fields });
  const byId = new Map(users.map((user) => [user._id, user]));
  return ids.flatMap((id) => {
    const user = byId.get(id);
    if (!company || !user || !canBeShownAsEditing(actorOf(user, company, clock.now()), sop)) return [];
    return [{ id, name: user.name, initials: user.initials }];
  });
}
