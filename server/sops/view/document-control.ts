/** Document control for the version shown: owner, approvers and dates. */
import type { z } from "zod";
import type { SopControl } from "#core/sops/control.ts";
import type { ApprovalRequestDocument, SopDocument, SopVersionDocument } from "../../database/documents.ts";
import type { Services } from "../../http/services.ts";
import type { View } from "../list/visible.ts";

/** The facts of one stored version, without its text. */
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
  const answered = [sop.published, sop.scheduled].find((one) => one?.version === shown.version);
  return {
    owner: ownerName === null ? null : { name: ownerName },
    changedBy: { name: shown.changedByName, at: shown.createdAt },
    changeClass: answered?.changeClass ?? shown.changeClass,
    effective: shown.frontMatter.effective ?? null,
    approvedBy: (await approvalsOf(services, sop, [shown.version])).get(shown.version) ?? [],
    lastReview: sop.lastReview ?? null,
    lastInForce: view === "latest" ? (sop.lastPublished?.version ?? null) : null,
  };
}

type Signatures = z.input<typeof SopControl>["approvedBy"];

/** The approvers of each version. A version without an entry has no approvals. */
export async function approvalsOf(
  services: Pick<Services, "db">,
  sop: SopDocument,
  versions: readonly number[],
): Promise<Map<number, Signatures>> {
  const found = new Map<number, Signatures>();
  const unknown: number[] = [];
  for (const version of versions) {
    const known = approvalsKnown(sop, version);
    if (known) found.set(version, known);
    else unknown.push(version);
  }
  if (unknown.length === 0) return found;
  const requests = await services.db
    .forCompany(sop.companyId)
    .collection("approval_requests")
    .find(
      { sopId: sop._id, version: { $in: unknown }, outcome: "approved" },
      { sort: { createdAt: 1, _id: 1 }, projection: { version: 1, approvers: 1 } },
    );
  // the last one counts
  for (const { version, approvers } of requests) found.set(version, signaturesOf(approvers));
  return found;
}

function signaturesOf(approvers: ApprovalRequestDocument["approvers"]): Signatures {
  return approvers.flatMap(({ name, status, respondedAt, replacedAt }) =>
    status === "approved" && respondedAt !== null && replacedAt === null ? [{ name, at: respondedAt }] : [],
  );
}

/** Published and scheduled versions carry their approvals; drafts have none. Null: look them up. */
function approvalsKnown(
  { published, scheduled, status, version: latest }: SopDocument,
  version: number,
): Signatures | null {
  const stands = [published, scheduled].find((one) => one?.version === version && one.approvals !== undefined);
  if (stands) return (stands.approvals ?? []).map(({ name, at }) => ({ name, at }));
  return version === latest && (status === "draft" || status === "under_review") ? [] : null;
}
