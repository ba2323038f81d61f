/**
 * Counts the SOPs that a user sees: the company's counters, plus counts by query of SOPs that the counters leave out.
 */
import type { Actor } from "#core/permissions/actor.ts";
import { canSeeUnrestrictedLatestVersions, canSeeOnlyPublished } from "#core/permissions/can.ts";
import type { SopDocument } from "../database/documents.ts";
import type { Filter } from "../database/port.ts";
import type { Services } from "../http/services.ts";
import { activeSopCount } from "../sops/edit/counts.ts";
import { unpublishedVisibleFilters, restrictedFilters, visibleScopes } from "../sops/list/visible.ts";

export interface VisibleCounts {
  total: number;
  underReview: number;
  byCategory: ReadonlyMap<string, number>;
}

export async function countVisibleSops({ db }: Pick<Services, "db">, actor: Actor): Promise<VisibleCounts> {
  const counters = await db.collection("counters").findOne({ _id: actor.companyId });
  if (!counters) return { total: 0, underReview: 0, byCategory: new Map() };
  const sops = db.forCompany(actor.companyId).collection("sops");
  const allLatest = canSeeUnrestrictedLatestVersions(actor);
  const byCategory = new Map(
    Object.entries(counters.categories).map(([id, count]) => [id, (allLatest ? count.live : count.published) ?? 0]),
  );
  const findSops = (filter: Filter<SopDocument>) =>
    sops.find(filter, { projection: { categoryId: 1, "published.categoryId": 1, status: 1 } });
  const [more, reviewed] = await Promise.all([
    Promise.all(uncountedFilters(actor).map(findSops)),
    Promise.all(underReviewFilters(actor).map((filter) => sops.countDocuments(filter))),
  ]);
  let total = allLatest ? activeSopCount(counters) : counters.published;
  for (const sop of more.flat()) {
    total++;
    const category = (canSeeOnlyPublished(actor) ? sop.published?.categoryId : sop.categoryId) ?? "none";
    byCategory.set(category, (byCategory.get(category) ?? 0) + 1);
  }
  const counted = allLatest ? (counters.byStatus["under_review"] ?? 0) : 0;
  return { total, underReview: reviewed.reduce((sum, count) => sum + count, counted), byCategory };
}

/**
 * Returns filters for SOPs outside the counters: restricted SOPs, and for limited users those with a visible draft but
 * no published version. Uses `$ne` on the flags, which exclude few SOPs: indexes find by author, owner, team, grant or
 * restriction.
 */
function uncountedFilters(actor: Actor): Filter<SopDocument>[] {
  const live = { $ne: false };
  if (canSeeUnrestrictedLatestVersions(actor)) return restrictedFilters(actor).map((filter) => ({ ...filter, live }));
  if (canSeeOnlyPublished(actor))
    return restrictedFilters(actor).map((filter) => ({ ...filter, hasPublished: { $ne: false } }));
  return [
    ...restrictedFilters(actor).map((filter) => ({ ...filter, live })),
    ...unpublishedVisibleFilters(actor).map((filter) => ({ ...filter, live, hasPublished: { $ne: true } })),
  ];
}

/**
 * Returns filters for the SOPs under review that a query must count. For users who see all latest versions these are
 * only the restricted SOPs, because the company's counters have the others.
 */
function underReviewFilters(actor: Actor): Filter<SopDocument>[] {
  if (canSeeOnlyPublished(actor)) return [];
  const reviewed = { deletedAt: null, status: "under_review" } as const;
  const filters = canSeeUnrestrictedLatestVersions(actor)
    ? restrictedFilters(actor)
    : visibleScopes(actor)
        .filter(({ view }) => view === "latest")
        .map(({ filter }) => filter);
  return filters.map((filter) => ({ $and: [reviewed, filter] }));
}
