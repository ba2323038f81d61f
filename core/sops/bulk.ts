/** Changes of many SOPs at once. Screens load this file, so it has no zod. */
import type { SopAction } from "../permissions/actions.ts";
import type { SopStatus } from "./statuses.ts";

export const bulkActions = ["tags", "owner", "archive"] as const;
export type BulkAction = (typeof bulkActions)[number];

export type BulkRefusal = "not_allowed" | "archived" | "under_review";

const needed: Record<BulkAction, readonly SopAction[]> = {
  tags: ["sop.edit"],
  // a new owner gets access to the SOP, so the change also needs the permission to share
  owner: ["sop.edit", "sop.share"],
  archive: ["sop.archive"],
};

/**
 * Returns the reason why a bulk action can't change an SOP; null if it can. A new tag or owner makes a new version,
 * which would end an approval request.
 *
 * @param may tells whether the user can do this to the SOP
 */
export function bulkRefusalOf(
  action: BulkAction,
  { status }: { status: SopStatus },
  may: (action: SopAction) => boolean,
): BulkRefusal | null {
  if (!needed[action].every(may)) return "not_allowed";
  if (status === "archived") return "archived";
  return status === "under_review" && action !== "archive" ? "under_review" : null;
}

/** Returns the tags of an SOP after a bulk change: without the removed ones, and with each added one once, at the end. */
export function tagsAfterChange(
  tags: readonly string[],
  added: readonly string[],
  removed: readonly string[],
): string[] {
  return [...new Set([...tags.filter((tag) => !removed.includes(tag)), ...added])];
}

/** Reads tags that are separated by commas. */
export const parseTagList = (typed: string): string[] => typed.split(",").flatMap((tag) => tag.trim() || []);
