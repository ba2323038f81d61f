/** Changes to many SOPs at once. No zod in here: screens load it. */
import type { SopAction } from "../permissions/actions.ts";
import type { SopStatus } from "./statuses.ts";

export const bulkActions = ["tags", "owner", "archive"] as const;
export type BulkAction = (typeof bulkActions)[number];

export type BulkRefusal = "not_allowed" | "archived" | "under_review";

const needed: Record<BulkAction, readonly SopAction[]> = {
  tags: ["sop.edit"],
  // owners get access
  owner: ["sop.edit", "sop.share"],
  archive: ["sop.archive"],
};

/**
 * Why an SOP is left out of a bulk action; null: it is part of it. A new tag or owner is a new version, which would
 * end an approval request.
 *
 * @param may whether the user can do this to the SOP
 */
export function bulkRefusal(
  action: BulkAction,
  { status }: { status: SopStatus },
  may: (action: SopAction) => boolean,
): BulkRefusal | null {
  if (!needed[action].every(may)) return "not_allowed";
  if (status === "archived") return "archived";
  return status === "under_review" && action !== "archive" ? "under_review" : null;
}

/** @returns the tags in their order, without the removed ones and with the added ones once at the end */
export function changedTags(tags: readonly string[], added: readonly string[], removed: readonly string[]): string[] {
  return [...new Set([...tags.filter((tag) => !removed.includes(tag)), ...added])];
}

/** Tags typed with commas between them. */
export const tagsOf = (typed: string): string[] => typed.split(",").flatMap((tag) => tag.trim() || []);
