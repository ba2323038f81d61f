/** Defines SOPs, their versions, their categories and their images. */
import type { ApprovalRule } from "#core/companies/settings.ts";
import type { StoredSop, StoredVersion } from "#core/life-cycle/records.ts";
import type { SopSummary } from "#core/sop-fields.ts";
import type { Tenant, DatedFields, StoredCollections } from "./parts.ts";
import {
  companyId,
  datedChecks,
  maybeNumber,
  maybeText,
  maybeTime,
  published,
  summary,
  texts,
} from "../shape-parts.ts";
import {
  anyValueCheck,
  arrayCheck,
  booleanCheck,
  fieldsCheck,
  numberCheck,
  objectCheck,
  optionalCheck,
  nullableCheck,
  stringCheck,
  timeCheck,
} from "../shape.ts";

export type { SopSummary };
export type { PublishedVersion } from "#core/life-cycle/records.ts";
export type SopDocument = StoredSop;
export type SopVersionDocument = StoredVersion;

export interface CategoryDocument extends Tenant, DatedFields {
  name: string;
  slug: string;
  color: string;
  /** The parent category. Only two levels exist, so a category with a parent has no children. */
  parentId: string | null;
  teamId: string | null;
  order: number;
  /** True if the category's SOPs need approval before publication, even if the company allows direct publication. */
  requiresApproval: boolean;
  /** The category's approval rule; null: the company's rule. */
  approvalRule: ApprovalRule | null;
  /** The category's months to the next review; null: the company's number. */
  reviewMonths: number | null;
}

/**
 * The SOP that was created from an imported source. A second import of the source finds the SOP by this record and
 * updates the SOP.
 */
export interface SopSourceDocument extends Tenant {
  /**
   * `id:<uuid>` or `path:<relative path>`. With the prefix `user:<uuid>:`, the record is for that user alone, such as
   * for a copy.
   */
  key: string;
  path: string;
  sha256: string;
  sopId: string;
  /** The SOP's version after the import. If the SOP has a later version, users have edited it since. */
  version: number;
  importId: string;
  at: string;
  /** The last import that changed the SOP, and the first version that it created. */
  imported?: { importId: string; version: number };
  /** The pushed commit that created this version; absent if no push did. */
  pushed?: { commit: string; version: number };
}

/**
 * A number reserved for an SOP that an import is about to create, because other SOPs of the import link to it. `_id` is
 * the id that the SOP will have. Creating the SOP deletes the document. If the import fails, the number stays reserved.
 */
export interface ReservedNumberDocument extends Tenant {
  /**
   * The document's key, as in `sop_sources`. A later import of the same document finds its reserved number by this key.
   */
  key: string;
  title: string;
  number: number;
  label: string;
  labelKey: string;
  importId: string;
  at: string;
}

export interface AssetDocument extends Tenant {
  sha256: string;
  ext: string;
  type: string;
  size: number;
  uploadedBy: string;
  /** Ids of all users who uploaded these bytes. They can read the asset even before a version links it. */
  uploaders: string[];
  createdAt: string;
  /** The time when a version first linked the asset; absent before. From then on, the asset is never removed. */
  linkedAt?: string;
  /** The time when these bytes were last uploaded again, or chosen as a profile picture or logo. */
  usedAt?: string;
  bytes?: Uint8Array;
}

export interface SopCollections {
  categories: CategoryDocument;
  sops: SopDocument;
  sop_versions: SopVersionDocument;
  sop_sources: SopSourceDocument;
  reserved_numbers: ReservedNumberDocument;
  assets: AssetDocument;
}

export const sopCollections: StoredCollections<SopCollections> = {
  categories: {
    tenant: true,
    indexes: [
      { name: "slug", keys: { companyId: 1, slug: 1 }, unique: true },
      { name: "order", keys: { companyId: 1, order: 1 } },
    ],
    shape: {
      companyId,
      ...datedChecks,
      name: stringCheck,
      slug: stringCheck,
      color: stringCheck,
      parentId: maybeText,
      teamId: maybeText,
      order: numberCheck,
      requiresApproval: booleanCheck,
      approvalRule: nullableCheck(objectCheck),
      reviewMonths: maybeNumber,
    },
  },
  sops: {
    tenant: true,
    indexes: [
      { name: "number", keys: { companyId: 1, number: 1 }, unique: true },
      { name: "label", keys: { companyId: 1, labelKey: 1 }, unique: true, partial: { labelKey: { $exists: true } } },
      { name: "title", keys: { companyId: 1, title: 1 } },
      { name: "live", keys: { companyId: 1, live: 1, updatedAt: -1, _id: -1 } },
      { name: "status", keys: { companyId: 1, deletedAt: 1, status: 1, updatedAt: -1, _id: -1 } },
      { name: "category", keys: { companyId: 1, live: 1, categoryId: 1, updatedAt: -1, _id: -1 } },
      { name: "author", keys: { companyId: 1, authorId: 1, updatedAt: -1, _id: -1 } },
      { name: "owner", keys: { companyId: 1, ownerId: 1, updatedAt: -1, _id: -1 } },
      { name: "team", keys: { companyId: 1, teamId: 1, updatedAt: -1, _id: -1 } },
      { name: "matches_published", keys: { companyId: 1, matchesPublished: 1, updatedAt: -1, _id: -1 } },
      { name: "scheduled", keys: { "scheduled.effectiveAt": 1 }, partial: { "scheduled.effectiveAt": { $gt: "" } } },
      {
        name: "published_review_due",
        keys: { "published.reviewBy": 1 },
        partial: { "published.reviewBy": { $gt: "" } },
      },
      { name: "published_review", keys: { companyId: 1, hasPublished: 1, "published.reviewBy": 1 } },
      { name: "published_by_time", keys: { companyId: 1, hasPublished: 1, "published.updatedAt": -1, _id: -1 } },
      {
        name: "published_in_category",
        keys: { companyId: 1, hasPublished: 1, "published.categoryId": 1, "published.updatedAt": -1, _id: -1 },
      },
      { name: "template", keys: { companyId: 1, live: 1, isTemplate: 1, updatedAt: -1, _id: -1 } },
      {
        name: "published_template",
        keys: { companyId: 1, hasPublished: 1, "published.isTemplate": 1, "published.updatedAt": -1, _id: -1 },
      },
      { name: "restricted", keys: { companyId: 1, restricted: 1 } },
      { name: "grantees", keys: { companyId: 1, grantees: 1 }, array: "grantees" },
      { name: "linked", keys: { companyId: 1, linkedAny: 1 }, array: "linkedAny" },
      { name: "trash", keys: { deletedAt: 1 }, partial: { deletedAt: { $gt: "" } } },
    ],
    shape: {
      companyId,
      ...datedChecks,
      ...summary,
      number: numberCheck,
      label: stringCheck,
      labelKey: stringCheck,
      slug: stringCheck,
      categoryId: maybeText,
      authorId: stringCheck,
      status: stringCheck,
      views: numberCheck,
      version: numberCheck,
      contentHash: stringCheck,
      assets: texts,
      linksTo: optionalCheck(texts),
      linkedAny: optionalCheck(texts),
      published: nullableCheck(fieldsCheck(published)),
      scheduled: nullableCheck(fieldsCheck({ ...published, approvals: arrayCheck(objectCheck) })),
      lastReview: optionalCheck(fieldsCheck({ name: stringCheck, at: timeCheck, verdict: stringCheck })),
      requestId: maybeText,
      approvers: texts,
      waitingFor: optionalCheck(texts),
      matchesPublished: booleanCheck,
      lastPublished: nullableCheck(fieldsCheck({ version: numberCheck, title: stringCheck, contentHash: stringCheck })),
      restricted: booleanCheck,
      grants: arrayCheck(
        fieldsCheck({
          id: stringCheck,
          userId: maybeText,
          teamId: maybeText,
          permission: stringCheck,
          grantedBy: stringCheck,
          grantedAt: timeCheck,
        }),
      ),
      grantees: texts,
      deletedAt: maybeTime,
      live: booleanCheck,
      addressFixed: optionalCheck(booleanCheck),
      aiDrafted: optionalCheck(booleanCheck),
      hasPublished: booleanCheck,
      revision: numberCheck,
    },
  },
  sop_versions: {
    tenant: true,
    indexes: [
      { name: "version", keys: { companyId: 1, sopId: 1, version: -1 }, unique: true },
      { name: "text", keys: { companyId: 1, textMarks: 1 }, array: "textMarks" },
      { name: "assets", keys: { companyId: 1, assets: 1 }, array: "assets" },
    ],
    shape: {
      companyId,
      sopId: stringCheck,
      version: numberCheck,
      title: stringCheck,
      description: stringCheck,
      markdown: stringCheck,
      frontMatter: objectCheck,
      assets: texts,
      assetPlaces: arrayCheck(numberCheck),
      sopLinks: optionalCheck(arrayCheck(objectCheck)),
      contentHash: stringCheck,
      textMarks: texts,
      changedBy: stringCheck,
      changedByName: stringCheck,
      changedByUsername: optionalCheck(stringCheck),
      writers: optionalCheck(arrayCheck(objectCheck)),
      changeNote: maybeText,
      changeClass: stringCheck,
      restores: maybeNumber,
      madeFrom: optionalCheck(numberCheck),
      ai: optionalCheck(arrayCheck(objectCheck)),
      automatic: optionalCheck(booleanCheck),
      repoSeq: numberCheck,
      createdAt: timeCheck,
    },
  },
  sop_sources: {
    tenant: true,
    indexes: [
      { name: "key", keys: { companyId: 1, key: 1 }, unique: true },
      { name: "content", keys: { companyId: 1, sha256: 1 } },
      { name: "path", keys: { companyId: 1, path: 1 } },
      { name: "sop", keys: { companyId: 1, sopId: 1 } },
    ],
  },
  reserved_numbers: {
    tenant: true,
    indexes: [
      { name: "number", keys: { companyId: 1, labelKey: 1 }, unique: true },
      { name: "key", keys: { companyId: 1, key: 1 } },
    ],
    ifLost: "an import reserves another number",
  },
  assets: {
    tenant: true,
    binary: "bytes",
    indexes: [
      { name: "content", keys: { companyId: 1, sha256: 1 }, unique: true },
      { name: "uploader", keys: { companyId: 1, uploadedBy: 1 } },
      { name: "unlinked", keys: { linkedAt: 1, _id: 1 } },
    ],
    shape: {
      companyId,
      sha256: stringCheck,
      ext: stringCheck,
      type: stringCheck,
      size: numberCheck,
      uploadedBy: stringCheck,
      uploaders: texts,
      createdAt: timeCheck,
      linkedAt: optionalCheck(timeCheck),
      usedAt: optionalCheck(timeCheck),
      bytes: optionalCheck(anyValueCheck),
    },
  },
};
