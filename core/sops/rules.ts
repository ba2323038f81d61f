/**
 * The status table (`docs/spec/statuses.md`), which decides what a save does. `core/life-cycle` has the steps that
 * follow.
 */
import type { CompanySettings } from "../companies/settings.ts";
import { dayOf, isDay, lastDay } from "../days.ts";
import { AppError } from "../errors.ts";
import { shownStatus, type SopStatus } from "./statuses.ts";
import { sentences } from "../language/catalog.ts";

const refusals = sentences("core.sops.refusals", {
  archivedBeforeChanging: "This SOP is archived: unarchive it before you change it",
  unpublishInstead: "To turn a published SOP into a draft, use Unpublish",
  withdrawInstead: "To turn this SOP into a draft, withdraw the request",
  submitForReview: "Use Submit for Approval to put an SOP under review",
  archivedBeforePublishing: "This SOP is archived: unarchive it before you publish it",
  cannotPublish: "You don't have permission to publish: use Submit for Approval",
  companyApproval: "This company publishes through approval only: use Submit for Approval",
  categoryApproval: "SOPs of the category {category} are published through approval only: use Submit for Approval",
  approversDecide: "This SOP is under review. Its approvers decide",
  cannotArchive: "You don't have permission to archive this SOP",
});

/** The facts about an SOP that the rules need. */
export interface SopState {
  status: SopStatus;
  version: number;
  published: { readonly version: number } | null;
  scheduled?: { readonly version: number; readonly effectiveAt: string | null } | null;
  deletedAt: string | null;
}

/** The user's permissions, as `can()` decided them. */
export interface AllowedActions {
  publish: boolean;
  archive: boolean;
}

/** The rule for approval: none, required by the company, or required by a category (with its name). */
export type DocumentControl = CompanySettings["documentControl"] | { category: string };

/** Returns the rule for approval that applies in a category. A category can require approval in any company. */
export function documentControlOf(
  company: CompanySettings["documentControl"],
  category: { name: string; requiresApproval: boolean } | undefined,
): DocumentControl {
  return company === "flexible" && category?.requiresApproval ? { category: category.name } : company;
}

/** The steps of one save, in the order of the fields. */
export interface SavePlan {
  unarchive: boolean;
  newVersion: boolean;
  publish: boolean;
  archive: boolean;
}

/**
 * Decides what a save does. The same `status` in a request can have different effects, by user and by stored status.
 * @param sop null for a new SOP, which counts as a saved draft
 * @throws AppError conflict or forbidden if the status table refuses the save; then nothing is saved
 */
export function planSave(
  sop: SopState | null,
  requested: { status: SopStatus | undefined; changed: boolean; moves?: boolean },
  may: AllowedActions,
  control: DocumentControl,
): SavePlan {
  const stored = sop?.status ?? "draft";
  const plan: SavePlan = {
    unarchive: false,
    newVersion: sop === null || requested.changed,
    publish: false,
    archive: false,
  };
  if (
    stored === "archived" &&
    (requested.status === undefined || requested.status === "archived") &&
    requested.changed
  ) {
    throw new AppError("conflict", refusals.archivedBeforeChanging());
  }
  switch (requested.status) {
    case undefined:
      return plan;
    case "published":
      return planPublishingSave(sop, plan, may, control);
    case "draft":
      if (stored === "archived") return { ...plan, unarchive: assertMayArchive(may.archive) };
      if (stored === "published" && !requested.changed && !requested.moves) {
        throw new AppError("conflict", refusals.unpublishInstead());
      }
      if (stored === "under_review" && !requested.changed && !requested.moves) {
        throw new AppError("conflict", refusals.withdrawInstead());
      }
      return plan;
    case "under_review":
      // a client returned the stored status with a new text, and the new text ends the approval request
      if (stored === "under_review") return plan;
      throw new AppError("conflict", refusals.submitForReview());
    case "archived":
      return stored === "archived" ? plan : { ...plan, archive: assertMayArchive(may.archive) };
  }
}

/**
 * Plans a move to a category whose rule the published version hasn't met. The SOP becomes the draft of its next version
 * in the new category, and readers keep the published version in the old one.
 */
export function savePlanForMoveAsDraft({ status }: Pick<SopState, "status">, plan: SavePlan): SavePlan {
  return { ...plan, newVersion: plan.newVersion || (status === "published" && !plan.archive) };
}

function planPublishingSave(
  sop: SopState | null,
  plan: SavePlan,
  may: AllowedActions,
  control: DocumentControl,
): SavePlan {
  const published = sop !== null && sop.status === "published";
  if (may.publish && control === "flexible") {
    if (sop?.status === "archived") throw new AppError("conflict", refusals.archivedBeforePublishing());
    if (sop?.status === "under_review") throw underReviewError();
    return { ...plan, publish: plan.newVersion || !published };
  }
  // a client returned the stored status with a new text, and the new text becomes the next draft
  if (published) return plan;
  if (control !== "flexible") throw approvalRequiredError(control);
  throw new AppError("forbidden", refusals.cannotPublish());
}

/** The refusal of a publication without the approval that the company or category requires. */
export function approvalRequiredError(control: Exclude<DocumentControl, "flexible">): AppError {
  return new AppError(
    "conflict",
    control === "strict" ? refusals.companyApproval() : refusals.categoryApproval({ category: control.category }),
  );
}

/**
 * Returns the day on which the approved or published latest version takes effect: '2027-06-01'. Null if no day is set.
 */
export function scheduledDayOf(sop: SopState): string | null {
  const day = shownStatus(sop) === "scheduled" ? sop.scheduled?.effectiveAt : null;
  return day ? dayOf(day) : null;
}

export function underReviewError(): AppError {
  return new AppError("conflict", refusals.approversDecide());
}

function assertMayArchive(permitted: boolean): true {
  if (!permitted) throw new AppError("forbidden", refusals.cannotArchive());
  return true;
}

/** Returns the status of an SOP after a new version was saved: an archived SOP stays archived, others become drafts. */
export function statusAfterSave(status: SopStatus): SopStatus {
  return status === "archived" ? "archived" : "draft";
}

/**
 * The default date of the next review. For the 31st of a month, it is the last day of a shorter month. It is never
 * later than `lastDay`, because a file accepts no later day.
 * @param publishedAt ISO time @returns `YYYY-MM-DD`
 */
export function nextReviewDate(publishedAt: string, months: number): string {
  const from = new Date(publishedAt);
  const date = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + months, 1));
  const days = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(from.getUTCDate(), days));
  const day = date.toISOString().slice(0, 10);
  return isDay(day) ? day : lastDay;
}
