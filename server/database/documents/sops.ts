/** SOPs, their versions, and their categories. */
import type { Writer } from "#core/approvals/writers.ts";
import type { SopSummary } from "#core/sop-fields.ts";
import type { SopStatus } from "#core/sops/statuses.ts";
import type { AiPart } from "#core/sops/ai-part.ts";
import type { Grant } from "#core/permissions/actor.ts";
import type { ApprovalRule } from "#core/companies/settings.ts";
import type { ReviewVerdict } from "#core/sops/review-verdicts.ts";
import type { FrontMatter } from "#core/markdown/front-matter.ts";
import type { SopLink } from "#core/markdown/sop-links.ts";
import type { Approval } from "#core/repository/event.ts";
import type { Tenant, Dated } from "./parts.ts";

export type { SopSummary };

export interface CategoryDocument extends Tenant, Dated {
  name: string;
  slug: string;
  color: string;
  /** The category around it. A category inside another one contains no others. */
  parentId: string | null;
  teamId: string | null;
  order: number;
  /** Its SOPs need approval before publication, even if the company allows direct publication. */
  requiresApproval: boolean;
  /** In place of the company's rule. */
  approvalRule: ApprovalRule | null;
  /** Months to the next review in place of the company's; null: the company's. */
  reviewMonths: number | null;
}

/** A published or scheduled version as readers see it in lists. */
export interface PublishedVersion extends SopSummary {
  version: number;
  contentHash: string;
  /** When it was or will be published. */
  effectiveAt: string;
  /** The effective date chosen at its publication, `YYYY-MM-DD`; null: none. Absent: that of its text. */
  effective?: string | null;
  /** The category where readers find it. The latest version can be in another one, whose rule this version hasn't met. */
  categoryId: string | null;
  updatedAt: string;
  /** The assets it links, as `SopDocument.assets`. */
  assets: string[];
  /** The SOPs it links, as `SopDocument.linksTo`; absent where the version was published before links were kept. */
  linksTo?: string[];
  /** The approvals that published it; absent if they aren't stored here. */
  approvals?: Approval[];
  /** The answers at its publication. Absent: those of its version. */
  changeClass?: "minor" | "major";
  changeNote?: string;
}

/** Identity and latest version of an SOP. The texts are in `sop_versions`. */
export interface SopDocument extends Tenant, Dated, SopSummary {
  /** Its place in the order of creation. */
  number: number;
  /** The number that people see: `SOP-0042`. */
  label: string;
  /** `numberKey` of it: unique in the company, archived and deleted SOPs included. */
  labelKey: string;
  slug: string;
  categoryId: string | null;
  authorId: string;
  status: SopStatus;
  views: number;
  version: number;
  contentHash: string;
  /** `<sha256>.<ext>` of the assets the latest version links, stored here or not. */
  assets: string[];
  /** The SOPs that the latest version links, each once: a number, or an id where no number was known. */
  linksTo?: string[];
  /** `linksTo` of the latest and of the published version, for the index. */
  linkedAny?: string[];
  /** The published version that readers see; null without one. */
  published: PublishedVersion | null;
  /** An approved or published version whose day has not come: readers keep what they have until then. */
  scheduled: (PublishedVersion & { approvals: Approval[] }) | null;
  /** The latest outcome of a periodic review; absent before the first. */
  lastReview?: { name: string; username?: string; at: string; verdict: ReviewVerdict };
  /** The approval request that waits for decisions about the latest version. */
  requestId: string | null;
  /** The approvers of that request. They read and comment the latest version until it is resolved. */
  approvers: string[];
  /** Those of them who have not decided. */
  waitingFor?: string[];
  /** A version is published or scheduled, or the latest one was published. The filter "Published" uses it. */
  matchesPublished: boolean;
  /** The version in `archive/` on `main` of an archived SOP that was published; null otherwise. */
  lastPublished: { version: number; title: string; contentHash: string } | null;
  restricted: boolean;
  /** Shares of this SOP, at most one a user and one a team (`docs/spec/permissions.md`). */
  grants: Grant[];
  /** `grants` and `approvers` as an index sees them: `user:<id>`, `team:<id>`. */
  grantees: string[];
  deletedAt: string | null;
  /** Neither archived nor deleted: what lists show by default. */
  live: boolean;
  /** The SOP has been published, so `slug` no longer changes. */
  addressFixed?: true;
  /** AI wrote the whole text of a version: every later one says that AI had a part in it. */
  aiDrafted?: true;
  /** A version is published and the SOP isn't deleted: readers can see it. */
  hasPublished: boolean;
  /** Raised by every write: two writers of the same state can't both win. */
  revision: number;
}

/** Never changed, never deleted by users. `frontMatter` + `markdown` make the exact file whose SHA-256 is `contentHash`. */
export interface SopVersionDocument extends Tenant {
  sopId: string;
  version: number;
  title: string;
  description: string;
  markdown: string;
  frontMatter: FrontMatter;
  /** SHA-256 of the assets the text links. */
  assets: string[];
  /** The places in `markdown` of links that git holds as relative ones. */
  assetPlaces: number[];
  /** The links to other SOPs; absent where there are none. */
  sopLinks?: SopLink[];
  contentHash: string;
  /** Of `markdown`: they find nearly the same text in another SOP (`core/approvals/said.ts`). */
  textMarks: string[];
  changedBy: string;
  changedByName: string;
  /** Absent in old records. */
  changedByUsername?: string;
  writers?: Writer[];
  changeNote: string | null;
  changeClass: "minor" | "major";
  restores: number | null;
  /** The version that its text was made from, if that was not the latest one. */
  madeFrom?: number;
  /** The AI's part in the text; absent where it had none. */
  ai?: AiPart[];
  /** A pause while editing made it; absent for a save of the user's. */
  automatic?: true;
  /** The ledger event that stores this version: leads to its commit. */
  repoSeq: number;
  createdAt: string;
}

/** Which imported source became which SOP, so that a second import changes nothing. */
export interface SopSourceDocument extends Tenant {
  /** `id:<uuid>` or `path:<relative path>` */
  key: string;
  path: string;
  sha256: string;
  sopId: string;
  /** The SOP's version after the import. A later version was edited here. */
  version: number;
  importId: string;
  at: string;
  /** The commit whose push made this version. */
  pushed?: { commit: string; version: number };
}

/**
 * The number of an SOP that an import is about to create, because other SOPs of the import link it. `_id` is the id that
 * the SOP gets. Goes when the SOP is created; without it, the number stays reserved.
 */
export interface ReservedNumberDocument extends Tenant {
  /** Of the document, as in `sop_sources`: a later import of the same document finds its number. */
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
  /** When a version first named it: then it stays. */
  linkedAt?: string;
  /** When these bytes were last uploaded again, or chosen as a profile picture or logo. */
  usedAt?: string;
  bytes?: Uint8Array;
}
