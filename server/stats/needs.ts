/** Lists the work that waits for a user, and the company's overdue work that this user sees. */
import type { Actor } from "#core/permissions/actor.ts";
import { can } from "#core/permissions/can.ts";
import { defaultNumberLabel } from "#core/repository/names.ts";
import { dayAfterDays, daysUntil, dueWithinDays, mayRecordReview } from "#core/periodic-review/rules.ts";
import type { Needs } from "#core/stats/schemas.ts";
import { printedName } from "#core/users/printed-name.ts";
import { loadOpenConfirmations } from "../acknowledgements/own.ts";
import type { ApprovalRequestDocument, SopDocument } from "../database/documents.ts";
import { isFactLost } from "../findings/lost-facts.ts";
import type { Identity } from "../http/call.ts";
import type { Services } from "../http/services.ts";
import { isMirrorStoppedOrPaused } from "../mirror/store.ts";
import { findUnreadableSopIds } from "../sops/list/unreadable.ts";
import { findFirstSteps } from "./first-steps.ts";
import { findMissingSopsAndOwners, loadLateWork } from "./late.ts";
import { findUnansweredThreads } from "./replies.ts";

type StatsDatabase = Pick<Services, "db">;

/** The maximum number of items of each kind. Further items are listed once these are done. */
const listedAtMost = 50;
const readAtMost = 200;

/** Finds the work that the user should see on the home page. Parts that the user can't see are empty, null or false. */
export async function findWorkToDo(
  services: Pick<Services, "db" | "clock" | "companies" | "search" | "damage">,
  identity: Identity,
  now: string,
): Promise<Needs> {
  const { db } = services;
  const { actor } = identity;
  const [returned, toRead, reviews, replies, drafts, late, gaps, firstSteps, mirrorStopped, unreadable, settingsLost] =
    await Promise.all([
      findReturnedDrafts({ db }, actor),
      loadOpenConfirmations(db, identity, now),
      findDueReviews({ db }, actor, now),
      findUnansweredThreads({ db }, actor),
      findUnfinishedDrafts({ db }, actor),
      loadLateWork({ db }, actor, now),
      findMissingSopsAndOwners(services, actor),
      findFirstSteps({ db }, actor, now),
      can(actor, "company.settings") && isMirrorStoppedOrPaused({ db }, actor.companyId),
      // users who set up the company can ask the operator
      can(actor, "company.settings") ? findUnreadableSopIds(services, actor.companyId) : new Set(),
      can(actor, "company.settings") && isFactLost(db, actor.companyId, "settings"),
    ]);
  const first = toRead.slice(0, listedAtMost);
  const company = { firstSteps, mirrorStopped, unreadable: unreadable.size, settingsLost };
  return { returned, toRead: first, reviews, replies, drafts, late, gaps, ...company };
}

/** Lists the actor's new SOPs that are still drafts. */
async function findUnfinishedDrafts({ db }: StatsDatabase, actor: Actor): Promise<Needs["drafts"]> {
  const sops = await db
    .forCompany(actor.companyId)
    .collection("sops")
    .find({ authorId: actor.userId, status: "draft" }, { sort: { updatedAt: -1, _id: -1 }, limit: listedAtMost });
  return sops
    .filter((sop) => sop.live && !sop.hasPublished && can(actor, "sop.edit", sop))
    .map((sop) => ({ sop: nameAndNumber(sop), updatedAt: sop.updatedAt }));
}

async function findReturnedDrafts({ db }: StatsDatabase, actor: Actor): Promise<Needs["returned"]> {
  const company = db.forCompany(actor.companyId);
  const ended = await company
    .collection("approval_requests")
    .find({ requestedBy: actor.userId, status: "rejected" }, { sort: { createdAt: -1, _id: -1 }, limit: readAtMost });
  const newest = new Map<string, ApprovalRequestDocument>();
  for (const request of ended) if (!newest.has(request.sopId)) newest.set(request.sopId, request);
  if (newest.size === 0) return [];
  const sops = await company.collection("sops").find({ _id: { $in: [...newest.keys()] }, status: "draft" });
  return sops
    .flatMap((sop) => {
      const request = newest.get(sop._id);
      const { outcome = null, version, resolvedAt = null, approvers = [] } = request ?? {};
      if ((outcome !== "changes_requested" && outcome !== "rejected") || resolvedAt === null) return [];
      if (version !== sop.version || !can(actor, "sop.edit", sop)) return [];
      const no = approvers.find(({ status }) => status === "rejected");
      return [
        {
          sop: nameAndNumber(sop),
          version,
          outcome,
          by: no ? printedName(no) : "",
          comment: no?.comment ?? null,
          at: resolvedAt,
        },
      ];
    })
    .sort((a, b) => (a.at < b.at ? 1 : -1))
    .slice(0, listedAtMost);
}

/**
 * Lists due periodic reviews of SOPs that the user owns, and of SOPs without an owner that the user wrote.
 */
async function findDueReviews({ db }: StatsDatabase, actor: Actor, now: string): Promise<Needs["reviews"]> {
  const mine = { $or: [{ ownerId: actor.userId }, { ownerId: null, authorId: actor.userId }] };
  const due = { hasPublished: true, "published.reviewBy": { $gt: "", $lte: dayAfterDays(now, dueWithinDays) } };
  const sops = await db
    .forCompany(actor.companyId)
    .collection("sops")
    .find({ ...due, ...mine }, { sort: { "published.reviewBy": 1 }, limit: listedAtMost });
  return sops.flatMap((sop) => {
    const reviewBy = sop.published?.reviewBy ?? null;
    if (reviewBy === null || sop.status === "archived" || !mayRecordReview(actor, sop)) return [];
    return [{ sop: nameAndNumber(sop), reviewBy, overdue: daysUntil(reviewBy, now) < 0 }];
  });
}

function nameAndNumber({ _id, number, title }: SopDocument) {
  return { id: _id, number: defaultNumberLabel(number), title };
}
