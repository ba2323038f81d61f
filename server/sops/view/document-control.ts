/** Loads document control for the version on screen: owner, approvers and dates. */
import type { z } from "zod";
import { dayOf } from "#core/days.ts";
import { isBackdated } from "#core/export/effective-text.ts";
import type { SopControl } from "#core/sops/control.ts";
import type {
  ApprovalRequestDocument,
  PublishedVersion,
  SopDocument,
  SopVersionDocument,
} from "../../database/documents.ts";
import type { Services } from "../../http/services.ts";
import type { View } from "../list/visible.ts";

/** The facts of a stored version, without its text. */
export type VersionFacts = Pick<
  SopVersionDocument,
  "version" | "frontMatter" | "changedByName" | "changedByUsername" | "changeClass" | "createdAt"
>;

export async function loadDocumentControl(
  services: Pick<Services, "db">,
  sop: SopDocument,
  view: View,
  shown: VersionFacts,
  owner: { name: string; username?: string | undefined } | null,
): Promise<z.input<typeof SopControl>> {
  const answered = [sop.published, sop.scheduled].find((one) => one?.version === shown.version);
  const effective = await loadEffectiveDate(services, sop, shown);
  return {
    owner: owner && { name: owner.name, username: owner.username },
    changedBy: { name: shown.changedByName, username: shown.changedByUsername, at: shown.createdAt },
    changeClass: answered?.changeClass ?? shown.changeClass,
    effective: effective.day,
    ...(effective.isBackdated && { backdated: true as const }),
    approvedBy: (await loadApprovalsOfVersions(services, sop, [shown.version])).get(shown.version) ?? [],
    lastReview: sop.lastReview ?? null,
    lastInForce: view === "latest" ? (sop.lastPublished?.version ?? null) : null,
  };
}

export interface EffectiveDate {
  /** Null for a version without an effective date. */
  day: string | null;
  /** True if the day is before the version's publication, or before the creation of an unpublished version. */
  isBackdated: boolean;
}

/**
 * Loads the effective date of a version. If a published version names a later date than that of its publication, the
 * latter counts.
 */
export async function loadEffectiveDate(
  services: Pick<Services, "db">,
  sop: SopDocument,
  { version, frontMatter, createdAt }: Pick<VersionFacts, "version" | "frontMatter" | "createdAt">,
): Promise<EffectiveDate> {
  const written = frontMatter.effective ?? null;
  if (sop.scheduled?.version === version) return { day: dayOf(sop.scheduled.effectiveAt), isBackdated: false };
  const from = await loadPublicationOf(services, sop, version);
  if (from === null) return { day: written, isBackdated: written !== null && isBackdated(written, dayOf(createdAt)) };
  const { effectiveAt, effective = written } = from;
  const since = dayOf(effectiveAt);
  if (effective === null) return { day: null, isBackdated: false };
  return effective > since
    ? { day: since, isBackdated: false }
    : { day: effective, isBackdated: isBackdated(effective, since) };
}

async function loadPublicationOf(
  { db }: Pick<Services, "db">,
  { _id, companyId, published, lastPublished, status, version: latest }: SopDocument,
  version: number,
): Promise<Pick<PublishedVersion, "effectiveAt" | "effective"> | null> {
  if (published?.version === version) return published;
  if (version === latest && (status === "draft" || status === "under_review")) return null;
  if (version === latest && lastPublished?.version !== version) return null;
  const [last] = await db
    .forCompany(companyId)
    .collection("published_periods")
    .find({ sopId: _id, version }, { sort: { from: -1 }, limit: 1 });
  return last ? { effectiveAt: last.from, ...(last.effective !== undefined && { effective: last.effective }) } : null;
}

type Signatures = z.input<typeof SopControl>["approvedBy"];

/** Loads the approvers of each version. A version without an entry has no approvals. */
export async function loadApprovalsOfVersions(
  services: Pick<Services, "db">,
  sop: SopDocument,
  versions: readonly number[],
): Promise<Map<number, Signatures>> {
  const found = new Map<number, Signatures>();
  const unknown: number[] = [];
  for (const version of versions) {
    const known = approvalsInSop(sop, version);
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
  // the last request of a version counts
  for (const { version, approvers } of requests) found.set(version, signaturesOf(approvers));
  return found;
}

function signaturesOf(approvers: ApprovalRequestDocument["approvers"]): Signatures {
  return approvers.flatMap(({ name, username, status, respondedAt, replacedAt }) =>
    status === "approved" && respondedAt !== null && replacedAt === null ? [{ name, username, at: respondedAt }] : [],
  );
}

/**
 * Returns the approvals of a version if the SOP's record has them: it has those of the published and the scheduled
 * version, and a draft has none. Null if they must be loaded.
 */
function approvalsInSop(
  { published, scheduled, status, version: latest }: SopDocument,
  version: number,
): Signatures | null {
  const stands = [published, scheduled].find((one) => one?.version === version && one.approvals !== undefined);
  if (stands) return (stands.approvals ?? []).map(({ name, username, at }) => ({ name, username, at }));
  return version === latest && (status === "draft" || status === "under_review") ? [] : null;
}
