/** Records the outcome of a periodic review, and lists earlier ones. */
import { can } from "#core/permissions/can.ts";
import { AppError } from "#core/errors.ts";
import { newId } from "#core/ids.ts";
import { planReviewOutcome } from "#core/life-cycle/review.ts";
import { mayRecordReview } from "#core/periodic-review/rules.ts";
import type { ReviewDocument } from "../database/documents.ts";
import type { Handlers } from "../http/call.ts";
import type { Services } from "../http/services.ts";
import { assertVersionMatches, authorOfChange, changeSop, loadReviewMonths } from "../sops/edit/change.ts";
import { loadVisibleSop } from "../sops/view/load.ts";
import { presentSop } from "../sops/view/present.ts";
import { sentences } from "#core/language/catalog.ts";

const refusals = sentences("server.periodic-review.refusals", {
  notPublished: "This SOP has no published version",
});

const historyAtMost = 200;

export function reviewHandlers(services: Services): Pick<Handlers<"sops">, "review" | "reviews"> {
  const { db, clock } = services;

  return {
    async review(call) {
      const { actor, user } = call.identity;
      const at = clock.now();
      const loadSop = async () => {
        const { sop } = await loadVisibleSop(services, actor, call.params.id);
        if (!mayRecordReview(actor, sop)) throw new AppError("forbidden");
        if (call.body.verdict === "archive" && !can(actor, "sop.archive", sop)) throw new AppError("forbidden");
        assertVersionMatches(sop, call.ifMatch);
        if (!sop.hasPublished) throw new AppError("conflict", refusals.notPublished());
        return sop;
      };
      const sop = await changeSop(services, authorOfChange(call, at), call.params.id, loadSop, async (before) =>
        planReviewOutcome(before, call.body, {
          id: newId(),
          by: user,
          at,
          ...(await loadReviewMonths(services, before)),
        }),
      );
      call.ctx.set("ETag", `"v${sop.version}"`);
      return presentSop(services, actor, sop, "latest");
    },

    async reviews({ identity: { actor }, params }) {
      const { sop, view } = await loadVisibleSop(services, actor, params.id);
      const found = await db
        .forCompany(actor.companyId)
        .collection("reviews")
        .find({ sopId: sop._id }, { sort: { createdAt: -1, _id: -1 }, limit: historyAtMost });
      return found.map((review) => presentReview(review, view === "latest"));
    },
  };
}

function presentReview(review: ReviewDocument, withNote: boolean) {
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
