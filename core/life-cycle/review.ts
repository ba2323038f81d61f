/** Plans the outcome of a periodic review. An outcome makes no new version of the SOP. */
import { AppError } from "../errors.ts";
import { daysUntil } from "../periodic-review/rules.ts";
import type { ReviewAsk } from "../periodic-review/schema.ts";
import { nextReviewDate } from "../sops/rules.ts";
import { archiveStep } from "./archive.ts";
import type { StoredReview, StoredSop } from "./records.ts";
import type { LifeCycleStep } from "./step.ts";
import { refusals } from "./refusals.ts";
import type { MessageWithId } from "../language/catalog.ts";

/** @throws AppError invalid_input for a next date that is not in the future, or without the outcome `keep` */
export function planReviewOutcome(
  sop: StoredSop,
  { verdict, note, reviewBy }: ReviewAsk,
  facts: {
    id: string;
    by: { _id: string; name: string; username: string };
    at: string;
    reviewMonths: number | null;
  },
): LifeCycleStep[] {
  const { id, by, at, reviewMonths } = facts;
  const day = reviewBy ?? null;
  if (day !== null && verdict !== "keep") throw reviewDateError(refusals.noReview());
  if (day !== null && daysUntil(day, at) <= 0) throw reviewDateError(refusals.pastReview());
  const next = verdict === "keep" ? (day ?? (reviewMonths === null ? null : nextReviewDate(at, reviewMonths))) : null;
  const review: StoredReview = {
    _id: id,
    companyId: sop.companyId,
    sopId: sop._id,
    version: sop.published?.version ?? sop.version,
    contentHash: sop.published?.contentHash ?? sop.contentHash,
    verdict,
    note: note || null,
    due: sop.published?.reviewBy ?? null,
    reviewBy: next,
    reviewedBy: by._id,
    reviewedByName: by.name,
    reviewedByUsername: by.username,
    createdAt: at,
  };
  if (verdict === "keep") return [keepOutcomeStep(sop, review)];
  const recorded = recordOutcomeStep(sop, review);
  return verdict === "revise" ? [recorded] : [recorded, archiveStep(recorded.sop, at, review.note)];
}

function recordOutcomeStep(sop: StoredSop, review: StoredReview): LifeCycleStep {
  const { verdict, note, reviewedByName: name, reviewedByUsername: username } = review;
  return {
    verb: "review",
    sop: { ...sop, lastReview: { name, ...(username && { username }), at: review.createdAt, verdict } },
    note,
    changes: { verdict, reviewedVersion: review.version },
    effects: [{ kind: "add_review", review }],
  };
}

/** Sets the next review date of the published version and of its draft. A scheduled version has its own date. */
function keepOutcomeStep(sop: StoredSop, review: StoredReview): LifeCycleStep {
  const { reviewBy } = review;
  const kept = { ...sop, published: sop.published && { ...sop.published, reviewBy } };
  const step = recordOutcomeStep(sop.scheduled ? kept : { ...kept, reviewBy }, review);
  return { ...step, changes: { ...step.changes, reviewBy: { from: sop.published?.reviewBy ?? null, to: reviewBy } } };
}

function reviewDateError(message: MessageWithId): AppError {
  return new AppError("invalid_input", message, { reviewBy: message });
}
