/** The facts of document control about the version shown: who stands behind it. */
import type { z } from "zod";
import type { SopControl } from "#core/sops/control.ts";
import type { SopDocument, SopVersionDocument } from "../database/documents.ts";
import type { Services } from "../http/services.ts";
import type { View } from "./present.ts";

/** Of one stored version, all but its text. */
export type VersionFacts = Pick<
  SopVersionDocument,
  "version" | "frontMatter" | "changedByName" | "changeClass" | "createdAt"
>;

export async function controlOf(
  { db }: Pick<Services, "db">,
  sop: SopDocument,
  view: View,
  shown: VersionFacts,
): Promise<z.input<typeof SopControl>> {
  const company = db.forCompany(sop.companyId);
  const ownerId = (view === "effective" && sop.inForce ? sop.inForce : sop).ownerId;
  const [owner, [approved], [review]] = await Promise.all([
    ownerId === null ? null : company.collection("users").findOne({ _id: ownerId }, { projection: { name: 1 } }),
    company
      .collection("approval_requests")
      .find(
        { sopId: sop._id, version: shown.version, outcome: "approved" },
        { sort: { createdAt: -1, _id: -1 }, limit: 1 },
      ),
    company.collection("reviews").find({ sopId: sop._id }, { sort: { createdAt: -1, _id: -1 }, limit: 1 }),
  ]);
  return {
    owner: owner && { name: owner.name },
    changedBy: { name: shown.changedByName, at: shown.createdAt },
    changeClass: shown.changeClass,
    effective: shown.frontMatter.effective ?? null,
    approvedBy: (approved?.approvers ?? []).flatMap(({ name, status, respondedAt, replacedAt }) =>
      status === "approved" && respondedAt !== null && replacedAt === null ? [{ name, at: respondedAt }] : [],
    ),
    lastReview: review ? { name: review.reviewedByName, at: review.createdAt, verdict: review.verdict } : null,
    lastInForce: view === "head" ? (sop.lastInForce?.version ?? null) : null,
  };
}
