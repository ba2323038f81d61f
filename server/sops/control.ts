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
  services: Pick<Services, "db">,
  sop: SopDocument,
  view: View,
  shown: VersionFacts,
  ownerName: string | null,
): Promise<z.input<typeof SopControl>> {
  return {
    owner: ownerName === null ? null : { name: ownerName },
    changedBy: { name: shown.changedByName, at: shown.createdAt },
    changeClass: shown.changeClass,
    effective: shown.frontMatter.effective ?? null,
    approvedBy: approvalsKnown(sop, shown.version) ?? (await approvalsOf(services, sop, shown.version)),
    lastReview: sop.lastReview ?? null,
    lastInForce: view === "head" ? (sop.lastInForce?.version ?? null) : null,
  };
}

type Signatures = z.input<typeof SopControl>["approvedBy"];

/** What is in force or waits for its day carries its approvals; a draft has none. Null: they have to be looked up. */
function approvalsKnown(
  { inForce, scheduled, status, version: head }: SopDocument,
  version: number,
): Signatures | null {
  const stands = [inForce, scheduled].find((one) => one?.version === version && one.approvals !== undefined);
  if (stands) return (stands.approvals ?? []).map(({ name, at }) => ({ name, at }));
  return version === head && (status === "draft" || status === "under_review") ? [] : null;
}

async function approvalsOf({ db }: Pick<Services, "db">, sop: SopDocument, version: number): Promise<Signatures> {
  const [approved] = await db
    .forCompany(sop.companyId)
    .collection("approval_requests")
    .find({ sopId: sop._id, version, outcome: "approved" }, { sort: { createdAt: -1, _id: -1 }, limit: 1 });
  return (approved?.approvers ?? []).flatMap(({ name, status, respondedAt, replacedAt }) =>
    status === "approved" && respondedAt !== null && replacedAt === null ? [{ name, at: respondedAt }] : [],
  );
}
