/** Finds the first steps that a new company has done, for the checklist of its administrators. */
import type { Actor } from "#core/permissions/actor.ts";
import { invitationStateOf } from "#core/invitations/rules.ts";
import { can } from "#core/permissions/can.ts";
import type { Needs } from "#core/stats/schemas.ts";
import { acknowledgementAskCollection } from "../acknowledgements/audience.ts";
import type { SopDocument } from "../database/documents.ts";
import { atPath, type Filter } from "../database/port.ts";
import type { Services } from "../http/services.ts";
import { activeSopCount } from "../sops/edit/counts.ts";
import type { SopStream } from "../sops/list/streams.ts";
import { visibleSopName } from "./named.ts";

/** The maximum number of people or invitations to count, because larger numbers don't change the answer. */
const countedAtMost = 100;

export async function findFirstSteps(
  { db }: Pick<Services, "db">,
  actor: Actor,
  now: string,
): Promise<Needs["firstSteps"]> {
  if (!can(actor, "company.settings") || !can(actor, "user.manage")) return null;
  const company = db.forCompany(actor.companyId);
  const [counters, invitations, [ask], users] = await Promise.all([
    db.collection("counters").findOne({ _id: actor.companyId }),
    company.collection("invitations").find({ usedAt: null, revokedAt: null }, { limit: countedAtMost }),
    acknowledgementAskCollection(db, actor.companyId).find({}, { limit: 1 }),
    company.collection("users").countDocuments({ status: "active" }, { limit: countedAtMost }),
  ]);
  const sops = counters ? activeSopCount(counters) : 0;
  const published = (counters?.published ?? 0) > 0;
  // people count, however they were added
  const joined = Math.max(users - 1, 0);
  const invited = joined + invitations.filter((one) => invitationStateOf(one, now) === "pending").length;
  if (sops > 0 && invited > 0 && published && ask !== undefined) return null;
  const findNewestSop = async (filter: Filter<SopDocument>, field: SopStream["time"]) =>
    (
      await company
        .collection("sops")
        .find({ live: true, ...filter }, { sort: { ...atPath(field, -1), _id: -1 }, limit: 1 })
    )[0];
  const sop = published
    ? await findNewestSop({ hasPublished: true }, "published.updatedAt")
    : ((await findNewestSop({ status: "under_review" }, "updatedAt")) ??
      (await findNewestSop({ matchesPublished: true }, "updatedAt")) ??
      (await findNewestSop({ authorId: actor.userId }, "updatedAt")));
  const waits = !published && sop?.status === "under_review";
  const effectiveAt = (!published && !waits && sop?.scheduled?.effectiveAt) || null;
  return {
    sops,
    invited,
    joined,
    published,
    waits,
    effectiveAt,
    asked: ask !== undefined,
    next: sop ? visibleSopName(actor, sop) : null,
  };
}
