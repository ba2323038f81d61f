/** Lists overdue work of a company and missing SOPs, for users who see all drafts. */
import type { Actor } from "#core/permissions/actor.ts";
import { can, canSeeUnrestrictedLatestVersions } from "#core/permissions/can.ts";
import { mayRequestAcknowledgements } from "#core/acknowledgements/rules.ts";
import { dayAfterDays, mayRecordReview } from "#core/periodic-review/rules.ts";
import type { Needs } from "#core/stats/schemas.ts";
import { printedName } from "#core/users/printed-name.ts";
import { acknowledgementAskCollection } from "../acknowledgements/audience.ts";
import { loadConfirmations } from "../acknowledgements/confirmations.ts";
import type { Filter } from "../database/port.ts";
import type { SopDocument } from "../database/documents.ts";
import type { Services } from "../http/services.ts";
import { findSearchesWithoutResults } from "../suggestions/sources.ts";
import { visibleSopName } from "./named.ts";

type StatsDatabase = Pick<Services, "db">;

const listedAtMost = 5;
const readAtMost = 50;
/** The maximum number of SOPs whose readers are counted, because each SOP needs its own queries. */
const asksAtMost = 30;

export async function loadLateWork({ db }: StatsDatabase, actor: Actor, now: string): Promise<Needs["late"]> {
  if (!canSeeUnrestrictedLatestVersions(actor)) return { readings: null, reviews: [] };
  const [readings, reviews] = await Promise.all([
    findLateReadings({ db }, actor, now),
    findLateReviewsOfOthers({ db }, actor, now),
  ]);
  return { readings, reviews };
}

async function findLateReadings({ db }: StatsDatabase, actor: Actor, now: string): Promise<Needs["late"]["readings"]> {
  const asks = await acknowledgementAskCollection(db, actor.companyId).find({}, { limit: asksAtMost });
  const due = asks.filter(({ dueDays }) => dueDays !== null).map(({ sopId }) => sopId);
  if (due.length === 0) return null;
  const sops = await db
    .forCompany(actor.companyId)
    .collection("sops")
    .find({ _id: { $in: due } });
  const people = new Set<string>();
  let count = 0;
  let most: { sop: NonNullable<ReturnType<typeof visibleSopName>>; late: number } | null = null;
  for (const sop of sops) {
    const named = visibleSopName(actor, sop);
    if (!named || !sop.live || !mayRequestAcknowledgements(actor, sop)) continue;
    const late = (await loadConfirmations(db, sop, now)).people.filter(({ state }) => state === "overdue");
    for (const { user } of late) people.add(user.id);
    count += late.length;
    if (late.length > (most?.late ?? 0)) most = { sop: named, late: late.length };
  }
  return most && { people: people.size, count, most: most.sop };
}

/** Lists overdue reviews of other people's SOPs. The user's own reviews are in the list of the user's own work. */
async function findLateReviewsOfOthers(
  { db }: StatsDatabase,
  actor: Actor,
  now: string,
): Promise<Needs["late"]["reviews"]> {
  const company = db.forCompany(actor.companyId);
  const overdue: Filter<SopDocument> = {
    hasPublished: true,
    "published.reviewBy": { $gt: "", $lt: dayAfterDays(now, 0) },
  };
  const found = await company
    .collection("sops")
    .find(overdue, { sort: { "published.reviewBy": 1 }, limit: readAtMost });
  const others = found.filter(
    (sop) => ownerOrAuthorId(sop) !== actor.userId && sop.status !== "archived" && mayRecordReview(actor, sop),
  );
  const shown = others.slice(0, listedAtMost);
  const owners = await company.collection("users").find({ _id: { $in: shown.map(ownerOrAuthorId) } });
  const names = new Map(owners.map((user) => [user._id, printedName(user)]));
  return shown.flatMap((sop) => {
    const [named, reviewBy] = [visibleSopName(actor, sop), sop.published?.reviewBy ?? null];
    if (!named || reviewBy === null) return [];
    return [{ sop: named, reviewBy, owner: names.get(ownerOrAuthorId(sop)) ?? null }];
  });
}

export async function findMissingSopsAndOwners(
  services: Pick<Services, "db" | "clock" | "companies" | "search">,
  actor: Actor,
): Promise<Needs["gaps"]> {
  if (!canSeeUnrestrictedLatestVersions(actor) || !can(actor, "sop.create")) return { searches: [], ownerless: [] };
  const [searches, ownerless] = await Promise.all([
    findSearchesWithoutResults(services, actor, listedAtMost),
    findOwnerlessSops(services, actor),
  ]);
  return { searches: [...searches], ownerless };
}

/** Lists published SOPs whose owner (or author, without an owner) is no longer an active user. */
async function findOwnerlessSops({ db }: StatsDatabase, actor: Actor): Promise<Needs["gaps"]["ownerless"]> {
  const company = db.forCompany(actor.companyId);
  const gone = await company
    .collection("users")
    .find({ status: { $in: ["suspended", "deleted"] } }, { limit: readAtMost });
  if (gone.length === 0) return [];
  const ids = gone.map(({ _id }) => _id);
  const names = new Map(gone.map((user) => [user._id, printedName(user)]));
  const found = await company
    .collection("sops")
    .find(
      { $or: [{ ownerId: { $in: ids } }, { ownerId: null, authorId: { $in: ids } }] },
      { sort: { updatedAt: -1, _id: -1 }, limit: readAtMost },
    );
  return found
    .filter((sop) => sop.live && sop.hasPublished && can(actor, "sop.edit", sop))
    .flatMap((sop) => {
      const named = visibleSopName(actor, sop);
      return named ? [{ sop: named, was: names.get(ownerOrAuthorId(sop)) ?? "" }] : [];
    })
    .slice(0, listedAtMost);
}

function ownerOrAuthorId({ ownerId, authorId }: Pick<SopDocument, "ownerId" | "authorId">): string {
  return ownerId ?? authorId;
}
