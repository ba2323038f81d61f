/** Counts by what the asker sees: the company's counters, plus index-only counts of what a limited user may see besides. */
import type { Actor } from "#core/access/actor.ts";
import { passesRestrictions, seesAllHeads } from "#core/access/can.ts";
import type { Services } from "../http/services.ts";
import { liveHeads } from "../sops/counts.ts";
import { scopesOf } from "../sops/visible.ts";

export interface SeenCounts {
  total: number;
  underReview: number;
  byCategory: ReadonlyMap<string, number>;
}

export async function countsSeen({ db }: Pick<Services, "db">, actor: Actor): Promise<SeenCounts> {
  const counters = await db.collection("counters").findOne({ _id: actor.companyId });
  if (!counters) return { total: 0, underReview: 0, byCategory: new Map() };
  const sops = db.forCompany(actor.companyId).collection("sops");
  const heads = seesAllHeads(actor);
  const byCategory = new Map(
    Object.entries(counters.categories).map(([id, count]) => [id, (heads ? count.heads : count.inForce) ?? 0]),
  );
  const seen = {
    total: heads ? liveHeads(counters) : counters.inForce,
    underReview: heads ? (counters.heads["under_review"] ?? 0) : 0,
    byCategory,
  };
  // the counters leave restricted SOPs out, and count for limited users only what is in force
  const extra = heads
    ? [{ restricted: true, live: true, ...(passesRestrictions(actor) ? {} : { ownerId: actor.userId }) }]
    : scopesOf(actor)
        .filter(({ view }) => view === "head")
        .map(({ filter }) => ({ ...filter, live: true }));
  const fields = { projection: { categoryId: 1, status: 1, hasForce: 1, restricted: 1 } } as const;
  for (const rows of await Promise.all(extra.map((filter) => sops.find(filter, fields)))) {
    for (const sop of rows) {
      if (sop.status === "under_review") seen.underReview++;
      if (!heads && sop.hasForce && !sop.restricted) continue;
      seen.total++;
      const category = sop.categoryId ?? "none";
      byCategory.set(category, (byCategory.get(category) ?? 0) + 1);
    }
  }
  return seen;
}
