/** Decides which users get an event. The decision is made at delivery, by what each user can see at that moment. */
import { isDeepStrictEqual } from "node:util";
import { mayReadThread } from "#core/comments/rules.ts";
import type { Actor, SopFacts } from "#core/permissions/actor.ts";
import { can, mayReadAllSops, canSeeUnrestrictedLatestVersions } from "#core/permissions/can.ts";
import type { AboutSop, Collections, EventDocument, SopDocument } from "../database/documents.ts";
import type { Database, Projection } from "../database/port.ts";

export type EventAudience = Pick<EventDocument, "to" | "about" | "version" | "alsoFor">;

/**
 * Returns the facts about an SOP for the event of its change. They include the facts before the change if facts other
 * than the versions differ, so that users who lose access also get the event.
 */
export function changeFactsForEvent(before: SopDocument | null, after: SopDocument, readersSee: boolean): AboutSop {
  const about = { id: after._id, readersSee };
  if (before === null) return about;
  const [was, is] = [factsOf(before), factsOf(after)];
  return isDeepStrictEqual(withoutVersions(was), withoutVersions(is)) ? about : { ...about, was };
}

function factsOf(sop: SopFacts): SopFacts {
  const { companyId, authorId, ownerId, teamId, status, restricted, deletedAt, version, approvers } = sop;
  const published = sop.published && { version: sop.published.version };
  const grants = sop.grants.map(({ userId, teamId: team, permission }) => ({ userId, teamId: team, permission }));
  return { companyId, authorId, ownerId, teamId, status, restricted, deletedAt, version, approvers, published, grants };
}

const withoutVersions = (facts: SopFacts) => ({ ...facts, version: 0, published: facts.published !== null });

const decisive: Projection<SopDocument> = {
  companyId: 1,
  authorId: 1,
  ownerId: 1,
  teamId: 1,
  status: 1,
  restricted: 1,
  deletedAt: 1,
  version: 1,
  published: 1,
  grants: 1,
  approvers: 1,
};

/**
 * Loads the facts about SOPs that decide which of these users get the events. Loads nothing if all users can read
 * everything.
 */
export async function loadSopFactsOfEvents(
  db: Database<Collections>,
  companyId: string,
  events: readonly EventDocument[],
  actors: readonly Actor[],
): Promise<ReadonlyMap<string, SopFacts>> {
  const ids = new Set(events.flatMap(({ about = [] }) => about.map(({ id }) => id)));
  if (ids.size === 0 || actors.every(mayReadAllSops)) return new Map();
  const found = await db
    .forCompany(companyId)
    .collection("sops")
    .find({ _id: { $in: [...ids] } }, { projection: decisive });
  return new Map(found.map((sop) => [sop._id, sop]));
}

export interface EventForBrowser {
  resources: readonly string[];
  sopId: string | null;
}

/** Returns the part of an event that this user may get; null if there is none. */
export function eventForActor(
  actor: Actor,
  event: EventDocument,
  sops: ReadonlyMap<string, SopFacts>,
): EventForBrowser | null {
  const { resources, to, about, version, alsoFor } = event;
  if (!to && !about && !alsoFor) return { resources, sopId: null };
  const canSeeSop = ({ id, readersSee, was }: AboutSop) =>
    mayReadAllSops(actor) ||
    [sops.get(id), was].some(
      (sop) =>
        sop &&
        mayReadThread(actor, sop, { audience: readersSee ? "readers" : "head", version: version ?? sop.version }),
    );
  if (about?.some(canSeeSop)) return { resources, sopId: about.length === 1 ? (about[0]?.id ?? null) : null };
  const isMeant =
    to?.includes(actor.userId) === true ||
    (alsoFor === "settings" && can(actor, "company.settings")) ||
    (alsoFor === "drafts" && canSeeUnrestrictedLatestVersions(actor));
  return isMeant ? { resources, sopId: null } : null;
}
