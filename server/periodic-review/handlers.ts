/** Records the outcome of a periodic review, and lists earlier ones. */
import { can } from "#core/permissions/can.ts";
import { AppError } from "#core/errors.ts";
import { newId } from "#core/ids.ts";
import { daysUntil, mayReview } from "#core/periodic-review/rules.ts";
import type { ReviewAsk } from "#core/periodic-review/schema.ts";
import { reviewDate } from "#core/sops/rules.ts";
import type { ReviewDocument, SopDocument, UserDocument } from "../database/documents.ts";
import type { Handlers } from "../http/call.ts";
import type { Services } from "../http/services.ts";
import { assertFresh, authorOf, changeSop, reviewsOf } from "../sops/edit/change.ts";
import { loadVisible } from "../sops/view/load.ts";
import { presentSop } from "../sops/view/present.ts";
import { archiveStep, type Step } from "../sops/edit/steps.ts";
import { keepStep, recordStep, type RecordedOutcome } from "./steps.ts";

const historyAtMost = 200;

export function reviewHandlers(services: Services): Pick<Handlers<"sops">, "review" | "reviews"> {
  const { db, clock } = services;

  return {
    async review(call) {
      const { actor, user } = call.identity;
      const at = clock.now();
      const load = async () => {
        const { sop } = await loadVisible(services, actor, call.params.id);
        if (!mayReview(actor, sop)) throw new AppError("forbidden");
        if (call.body.verdict === "archive" && !can(actor, "sop.archive", sop)) throw new AppError("forbidden");
        assertFresh(sop, call.ifMatch);
        if (!sop.hasPublished) throw new AppError("conflict", "This SOP has no published version");
        return sop;
      };
      const sop = await changeSop(services, authorOf(call, at), call.params.id, load, async (before) => {
        const { reviewMonths } = await reviewsOf(services, before);
        return stepsFor(before, outcomeOf(before, call.body, user, at, reviewMonths), at);
      });
      call.ctx.set("ETag", `"v${sop.version}"`);
      return presentSop(services, actor, sop, "latest");
    },

    async reviews({ identity: { actor }, params }) {
      const { sop, view } = await loadVisible(services, actor, params.id);
      const found = await db
        .forCompany(actor.companyId)
        .collection("reviews")
        .find({ sopId: sop._id }, { sort: { createdAt: -1, _id: -1 }, limit: historyAtMost });
      return found.map((review) => present(review, view === "latest"));
    },
  };
}

function stepsFor(sop: SopDocument, outcome: RecordedOutcome, at: string): Step[] {
  switch (outcome.record.verdict) {
    case "keep":
      return [keepStep(sop, outcome)];
    case "revise":
      return [recordStep(sop, outcome)];
    case "archive": {
      const recorded = recordStep(sop, outcome);
      return [recorded, archiveStep(recorded.sop, at, outcome.record.note)];
    }
  }
}

/** @throws AppError invalid_input for a next date that is not in the future, or without the outcome `keep` */
function outcomeOf(
  sop: SopDocument,
  input: ReviewAsk,
  by: Pick<UserDocument, "_id" | "name" | "username">,
  at: string,
  reviewMonths: number | null,
): RecordedOutcome {
  const { verdict } = input;
  const day = input.reviewBy ?? null;
  if (day !== null && verdict !== "keep") throw dateError("Only an SOP that is kept has a next review");
  if (day !== null && daysUntil(day, at) <= 0) throw dateError("Choose a future date for the next review");
  const next = verdict === "keep" ? (day ?? (reviewMonths === null ? null : reviewDate(at, reviewMonths))) : null;
  const record: ReviewDocument = {
    _id: newId(),
    companyId: sop.companyId,
    sopId: sop._id,
    version: sop.published?.version ?? sop.version,
    contentHash: sop.published?.contentHash ?? sop.contentHash,
    verdict,
    note: input.note || null,
    due: sop.published?.reviewBy ?? null,
    reviewBy: next,
    reviewedBy: by._id,
    reviewedByName: by.name,
    reviewedByUsername: by.username,
    createdAt: at,
  };
  return { record };
}

function dateError(message: string): AppError {
  return new AppError("invalid_input", message, { reviewBy: message });
}

function present(review: ReviewDocument, withNote: boolean) {
  const { _id, sopId, version, verdict, note, due, reviewBy, reviewedBy, createdAt } = review;
  const { reviewedByName: name, reviewedByUsername: username } = review;
  return {
    id: _id,
    sopId,
    version,
    verdict,
    note: withNote ? note : null,
    due,
    reviewBy,
    reviewedBy: { id: reviewedBy, name, username },
    createdAt,
  };
}
