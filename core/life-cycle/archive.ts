/** Archives, unarchives and deletes SOPs. */
import { AppError } from "../errors.ts";
import { shownStatus } from "../sops/statuses.ts";
import type { StoredSop } from "./records.ts";
import { withoutPendingRequest, withDerivedFlags, type LifeCycleStep } from "./step.ts";
import { refusals } from "./refusals.ts";

/** @throws AppError conflict when the SOP is archived already */
export function archiveStep(sop: StoredSop, at: string, note: string | null): LifeCycleStep {
  if (sop.status === "archived") throw new AppError("conflict", refusals.archivedAlready());
  const after = withDerivedFlags({
    ...withoutPendingRequest(sop),
    published: null,
    scheduled: null,
    status: "archived",
    lastPublished: sop.published && {
      version: sop.published.version,
      title: sop.published.title,
      contentHash: sop.published.contentHash,
    },
    updatedAt: at,
  });
  return { verb: "archive", sop: after, note, changes: { status: { from: shownStatus(sop), to: "archived" } } };
}

/** @throws AppError conflict when the SOP is not archived */
export function unarchiveStep(sop: StoredSop, at: string, note: string | null): LifeCycleStep {
  if (sop.status !== "archived") throw new AppError("conflict", refusals.notArchived());
  const after = withDerivedFlags({ ...sop, status: "draft", lastPublished: null, updatedAt: at });
  return { verb: "unarchive", sop: after, note };
}

/** Plans the deletion of an SOP. An SOP under review becomes a draft, and is a draft again after `undeleteStep`. */
export function deleteStep(sop: StoredSop, at: string): LifeCycleStep {
  const status = sop.status === "under_review" ? "draft" : sop.status;
  return {
    verb: "delete",
    sop: withDerivedFlags({ ...withoutPendingRequest(sop), status, deletedAt: at, updatedAt: at }),
  };
}

export function undeleteStep(sop: StoredSop, at: string): LifeCycleStep {
  return { verb: "undelete", sop: withDerivedFlags({ ...sop, deletedAt: null, updatedAt: at }) };
}

const restorableMs = 30 * 24 * 3_600_000;

/** Tells whether an SOP is deleted and can still be undeleted: for 30 days. @param now ISO time */
export function canBeUndeleted({ deletedAt }: Pick<StoredSop, "deletedAt">, now: string): boolean {
  return deletedAt !== null && Date.parse(now) - Date.parse(deletedAt) <= restorableMs;
}
