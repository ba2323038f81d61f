/** Loads figures about those SOPs of the company that a user sees. */
import type { Actor } from "#core/permissions/actor.ts";
import { canReadRestrictedSops, visibleVersion } from "#core/permissions/can.ts";
import { dayAfterDays } from "#core/periodic-review/rules.ts";
import type { Overview } from "#core/stats/schemas.ts";
import type { Services } from "../http/services.ts";
import { countListOfStatus } from "../sops/list/list.ts";

const weeksShown = 12;

const statuses = ["published", "scheduled", "under_review", "draft"] as const;

export async function loadCompanyOverview(
  { db, clock }: Pick<Services, "db" | "clock">,
  actor: Actor,
): Promise<Overview> {
  const starts = weekStarts(clock.now());
  const since = starts[0] ?? clock.now();
  const [unseen, ...counts] = await Promise.all([
    findUnseenPublicationTimes({ db }, actor, since),
    ...statuses.map((status) => countListOfStatus(db, clock, actor, status)),
  ]);
  const [published = 0, scheduled = 0, underReview = 0, draft = 0] = counts;
  const periods = db.forCompany(actor.companyId).collection("published_periods");
  const weeks = await Promise.all(
    starts.map(async (from, at) => {
      const until = starts[at + 1];
      const within = until === undefined ? { $gte: from } : { $gte: from, $lt: until };
      const count = await periods.countDocuments({ from: within });
      const hidden = unseen.filter((start) => start >= from && (until === undefined || start < until)).length;
      return { from: from.slice(0, 10), inForce: count - hidden };
    }),
  );
  return { byStatus: { published, scheduled, under_review: underReview, draft }, weeks };
}

/** Returns the Mondays of the last weeks and of this week, oldest first, in the form of stored times. */
function weekStarts(now: string): string[] {
  const sinceMonday = (new Date(now).getUTCDay() + 6) % 7;
  return Array.from({ length: weeksShown }, (_, week) => {
    const weeksAgo = weeksShown - 1 - week;
    return `${dayAfterDays(now, -sinceMonday - 7 * weeksAgo)}T00:00:00.000Z`;
  });
}

/**
 * Finds the publication times that this user can't know: those of restricted SOPs that the user doesn't see.
 * Publications of unrestricted SOPs were visible to all readers then, so they count.
 */
async function findUnseenPublicationTimes(
  { db }: Pick<Services, "db">,
  actor: Actor,
  since: string,
): Promise<string[]> {
  if (canReadRestrictedSops(actor)) return [];
  const company = db.forCompany(actor.companyId);
  const restricted = await company.collection("sops").find({ restricted: true });
  const hidden = restricted.filter((sop) => visibleVersion(actor, sop) === "nothing").map(({ _id }) => _id);
  if (hidden.length === 0) return [];
  const periods = await company
    .collection("published_periods")
    .find({ sopId: { $in: hidden }, from: { $gte: since } }, { projection: { from: 1 } });
  return periods.map(({ from }) => from);
}
