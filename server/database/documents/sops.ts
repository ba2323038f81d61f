/** SOPs, their versions, and their categories. */
import type { ApprovalRule } from "#core/companies/settings.ts";
import type { StoredSop, StoredVersion } from "#core/life-cycle/records.ts";
import type { SopSummary } from "#core/sop-fields.ts";
import type { Tenant, DatedFields } from "./parts.ts";

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

/** The SOP that an imported source became, so that a second import changes nothing. */
export interface SopSourceDocument extends Tenant {
  /** `id:<uuid>` or `path:<relative path>` */
  key: string;
  path: string;
  sha256: string;
  sopId: string;
  /** The SOP's version after the import. A later version means that the SOP was edited here. */
  version: number;
  importId: string;
  at: string;
  /** The commit whose push made this version. */
  pushed?: { commit: string; version: number };
}

/**
 * The number of an SOP that an import is about to create, because other SOPs of the import link to it. `_id` is the id
 * that the SOP gets. Deleted when the SOP is created. If the import fails, the number stays reserved.
 */
export interface ReservedNumberDocument extends Tenant {
  /** The document's key, as in `sop_sources`: a later import of the same document finds its number. */
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
  /** All users who uploaded these bytes. They can read them before a version links them. */
  uploaders: string[];
  createdAt: string;
  /** The time when a version first linked the asset. From then on, the asset stays. */
  linkedAt?: string;
  /** The time when these bytes were last uploaded again, or chosen as a profile picture or logo. */
  usedAt?: string;
  bytes?: Uint8Array;
}
