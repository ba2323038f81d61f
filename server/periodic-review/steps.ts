/** Records an outcome without a new version: the text and the readers' version stay as they are. */
import type { ReviewDocument, SopDocument } from "../database/documents.ts";
import type { Step } from "../sops/edit/steps.ts";

export interface RecordedOutcome {
  record: ReviewDocument;
}

export function recordStep(sop: SopDocument, { record }: RecordedOutcome): Step {
  const { verdict, note, reviewedByName: name, reviewedByUsername: username } = record;
  return {
    verb: "review",
    sop: { ...sop, lastReview: { name, ...(username && { username }), at: record.createdAt, verdict } },
    note,
    changes: { verdict, reviewedVersion: record.version },
    also: (tx) => tx.forCompany(sop.companyId).collection("reviews").insertOne(record),
  };
}

/** The next date applies to the published version and to its draft. A scheduled version has a date of its own. */
export function keepStep(sop: SopDocument, outcome: RecordedOutcome): Step {
  const { reviewBy } = outcome.record;
  const kept = { ...sop, published: sop.published && { ...sop.published, reviewBy } };
  const step = recordStep(sop.scheduled ? kept : { ...kept, reviewBy }, outcome);
  return { ...step, changes: { ...step.changes, reviewBy: { from: sop.published?.reviewBy ?? null, to: reviewBy } } };
}
