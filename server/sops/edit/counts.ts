/**
 * Computes each SOP's share of its company's counters. The transaction of a save updates them, so that lists never
 * count.
 */
import type { CounterDocument, SopDocument, PublishedVersion } from "../../database/documents.ts";
import type { Increments } from "../../database/port.ts";

type CountedSop = Pick<SopDocument, "status" | "categoryId" | "restricted" | "deletedAt" | "hasPublished" | "live"> & {
  published: Pick<PublishedVersion, "categoryId"> | null;
};

export type CounterSteps = Increments<CounterDocument>;

function counterShareOfSop(sop: CountedSop | null): CounterSteps {
  if (!sop || sop.deletedAt !== null || sop.restricted) return {};
  const counts: CounterSteps = {};
  counts[`byStatus.${sop.status}` as const] = 1;
  if (sop.live) counts[`categories.${sop.categoryId ?? "none"}.live` as const] = 1;
  if (!sop.hasPublished) return counts;
  counts[`categories.${sop.published?.categoryId ?? "none"}.published` as const] = 1;
  return { ...counts, published: 1 };
}

/** Returns the `$inc` of the counters for a change of an SOP; empty when no count changes. */
export function countDelta(before: CountedSop | null, after: CountedSop | null): CounterSteps {
  const delta: CounterSteps = {};
  addCounts(delta, counterShareOfSop(before), -1);
  addCounts(delta, counterShareOfSop(after));
  for (const path of pathsOf(delta)) if (delta[path] === 0) delete delta[path];
  return delta;
}

export function addCounts(total: CounterSteps, counts: CounterSteps, factor: 1 | -1 = 1): void {
  for (const path of pathsOf(counts)) total[path] = (total[path] ?? 0) + factor * (counts[path] ?? 0);
}

/** Returns the keys with their type, because `Object.keys` returns plain strings. */
function pathsOf(counts: CounterSteps): (keyof CounterSteps)[] {
  return Object.keys(counts) as (keyof CounterSteps)[];
}

/** Returns the number of SOPs that are neither archived nor deleted nor restricted. */
export function activeSopCount(counters: CounterDocument): number {
  const { draft = 0, under_review: underReview = 0, published = 0 } = counters.byStatus;
  return draft + underReview + published;
}
