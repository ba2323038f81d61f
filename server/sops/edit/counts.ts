/** Each SOP's share of its company's counters. The save transaction updates them, so that lists never count. */
import type { CounterDocument, SopDocument, PublishedVersion } from "../../database/documents.ts";

type Counted = Pick<SopDocument, "status" | "categoryId" | "restricted" | "deletedAt" | "hasPublished" | "live"> & {
  published: Pick<PublishedVersion, "categoryId"> | null;
};

function countsOf(sop: Counted | null): Record<string, number> {
  if (!sop || sop.deletedAt !== null || sop.restricted) return {};
  const category = (id: string | null | undefined) => `categories.${id ?? "none"}`;
  return {
    [`byStatus.${sop.status}`]: 1,
    ...(sop.live ? { [`${category(sop.categoryId)}.live`]: 1 } : {}),
    ...(sop.hasPublished ? { published: 1, [`${category(sop.published?.categoryId)}.published`]: 1 } : {}),
  };
}

/** The `$inc` that a change from one state to another makes; empty when nothing counted changes. */
export function countDelta(before: Counted | null, after: Counted | null): Record<string, number> {
  const delta: Record<string, number> = {};
  for (const [key, count] of Object.entries(countsOf(before))) delta[key] = (delta[key] ?? 0) - count;
  for (const [key, count] of Object.entries(countsOf(after))) delta[key] = (delta[key] ?? 0) + count;
  return Object.fromEntries(Object.entries(delta).filter(([, count]) => count !== 0));
}

export function addCounts(total: Record<string, number>, delta: Record<string, number>): void {
  for (const [key, count] of Object.entries(delta)) total[key] = (total[key] ?? 0) + count;
}

/** SOPs that are neither archived nor deleted nor restricted. */
export function activeSops(counters: CounterDocument): number {
  const { draft = 0, under_review: underReview = 0, published = 0 } = counters.byStatus;
  return draft + underReview + published;
}
