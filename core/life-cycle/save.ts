/** Plans the steps that add a version to an SOP: create, save, restore. */
import { AppError } from "../errors.ts";
import type { FrontMatter } from "../markdown/front-matter.ts";
import { numberKey } from "../numbers/numbers.ts";
import { listedFields, emptyValues, type SopSummary } from "../sop-fields.ts";
import { writesWholeText } from "../sops/ai-part.ts";
import { statusAfterSave } from "../sops/rules.ts";
import type { StoredSop, StoredVersion } from "./records.ts";
import { withoutPendingRequest, withDerivedFlags, type LifeCycleStep } from "./step.ts";
import { refusals } from "./refusals.ts";

/** The ids of the owner and the team that the file names; null for a name that it lacks. */
export interface SopRelations {
  ownerId: string | null;
  teamId: string | null;
}

/** A version to store, and the fields that the SOP takes from it. */
export interface VersionToStore {
  version: StoredVersion;
  relations: SopRelations;
  /** The value of `StoredSop.assets`. */
  assets: string[];
  /** The value of `StoredSop.linksTo`. */
  linksTo: string[];
  /** True if the save removes the review date. Otherwise a text without a date keeps the earlier one. */
  clearsReview?: boolean;
}

export interface NewSop extends Pick<StoredSop, "companyId" | "number" | "label" | "slug" | "categoryId"> {
  id: string;
}

export function createStep(identity: NewSop, { version, relations, assets, linksTo }: VersionToStore): LifeCycleStep {
  const sop: StoredSop = {
    _id: identity.id,
    companyId: identity.companyId,
    number: identity.number,
    label: identity.label,
    labelKey: numberKey(identity.label),
    slug: identity.slug,
    categoryId: identity.categoryId,
    authorId: version.changedBy,
    ...versionSummaryOf(version.frontMatter, relations),
    status: "draft",
    views: 0,
    version: 1,
    contentHash: version.contentHash,
    assets,
    linksTo,
    linkedAny: linksTo,
    published: null,
    scheduled: null,
    requestId: null,
    matchesPublished: false,
    lastPublished: null,
    restricted: false,
    grants: [],
    approvers: [],
    grantees: [],
    deletedAt: null,
    live: true,
    ...aiDraftedField(version, undefined),
    hasPublished: false,
    revision: 1,
    createdAt: version.createdAt,
    updatedAt: version.createdAt,
  };
  const changes = { title: sop.title, ...aiAuditDetails(version) };
  return { verb: "create", sop, version, note: version.changeNote, changes };
}

export function saveStep(
  sop: StoredSop,
  { version, relations, assets, linksTo, clearsReview }: VersionToStore,
): LifeCycleStep {
  const after: StoredSop = withDerivedFlags({
    ...withoutPendingRequest(sop),
    ...versionSummaryOf(version.frontMatter, relations),
    status: statusAfterSave(sop.status),
    version: version.version,
    contentHash: version.contentHash,
    assets,
    linksTo,
    reviewBy: version.frontMatter.review_by ?? (clearsReview === true ? null : sop.reviewBy),
    ...aiDraftedField(version, sop.aiDrafted),
    updatedAt: version.createdAt,
  });
  const renamed = sop.title !== after.title && { title: { from: sop.title, to: after.title } };
  const changes = { ...renamed, ...aiAuditDetails(version) };
  const saved = { sop: after, version, note: version.changeNote, changes };
  const { restores } = version;
  return restores === null ? { verb: "save", ...saved } : { verb: "restore", ...saved, restores };
}

/** @throws AppError conflict for an archived SOP, and for a restore of its latest version */
export function assertVersionCanBeRestored({ status, version: latest }: StoredSop, version: number): void {
  if (status === "archived") throw new AppError("conflict", refusals.archivedBeforeRestoring());
  if (version === latest) throw new AppError("conflict", refusals.currentVersion());
}

/** Tells whether AI wrote the whole text of this version or of an earlier one (`drafted`). */
export function isEverDraftedByAi({ ai }: Pick<StoredVersion, "ai">, drafted: true | undefined): boolean {
  return drafted === true || ai?.some(writesWholeText) === true;
}

function aiDraftedField(version: StoredVersion, drafted: true | undefined): Pick<StoredSop, "aiDrafted"> {
  return isEverDraftedByAi(version, drafted) ? { aiDrafted: true } : {};
}

function aiAuditDetails({ ai = [] }: StoredVersion): Record<string, unknown> {
  return ai.length === 0 ? {} : { ai: ai.map(({ callId, model, prompt }) => ({ callId, model, prompt })) };
}

/** The summary of a version, from its file and the ids of the names in it. */
export function versionSummaryOf(frontMatter: FrontMatter, relations: SopRelations): SopSummary {
  const values = listedFields.map((row) => {
    const value = row.kind === "relation" ? relations[row.name] : frontMatter[row.file];
    return [row.name, value ?? emptyValues[row.kind]];
  });
  return Object.fromEntries(values) as SopSummary;
}
