/** The stored records that the life cycle of an SOP changes. */
import type { ApprovalOutcome, ApprovalStatus } from "../approvals/rules.ts";
import type { VersionWriter } from "../approvals/writers.ts";
import type { ApprovalRule } from "../companies/settings.ts";
import type { FrontMatter } from "../markdown/front-matter.ts";
import type { SopLink } from "../markdown/sop-links.ts";
import type { Grant } from "../permissions/actor.ts";
import type { EventApproval } from "../repository/event.ts";
import type { SopSummary } from "../sop-fields.ts";
import type { AiPart } from "../sops/ai-part.ts";
import type { ReviewVerdict } from "../sops/review-verdicts.ts";
import type { SopStatus } from "../sops/statuses.ts";

interface OwnedByCompany {
  _id: string;
  companyId: string;
}

/** A published or scheduled version as lists show it to readers. */
export interface PublishedVersion extends SopSummary {
  version: number;
  contentHash: string;
  /** The time when the version was or will be published. */
  effectiveAt: string;
  /** The effective date chosen at the publication, `YYYY-MM-DD`; null: none. Absent: the date in the version's text. */
  effective?: string | null;
  /**
   * The category in which readers find the version. The latest version can be in another category, whose rule this
   * version hasn't met.
   */
  categoryId: string | null;
  updatedAt: string;
  /** Files (`<sha256>.<ext>`) of the assets that the version links, whether they are stored or not. */
  assets: string[];
  /** The SOPs that the version links, as in `StoredSop.linksTo`; absent for a version from before links were stored. */
  linksTo?: string[];
  /** The approvals of the published version; absent if they aren't stored here. */
  approvals?: EventApproval[];
  /** The answers at the publication. Absent: the fields of the version apply. */
  changeClass?: "minor" | "major";
  changeNote?: string;
}

/** Identity and latest version of an SOP. The texts are in `sop_versions`. */
export interface StoredSop extends OwnedByCompany, SopSummary {
  /** The SOP's position in the order of creation. */
  number: number;
  /** The number that people see: `SOP-0042`. */
  label: string;
  /** The `numberKey` of the label. It is unique in the company, archived and deleted SOPs included. */
  labelKey: string;
  slug: string;
  categoryId: string | null;
  authorId: string;
  status: SopStatus;
  views: number;
  version: number;
  contentHash: string;
  /** Files (`<sha256>.<ext>`) of the assets that the latest version links, whether they are stored or not. */
  assets: string[];
  /** The SOPs that the latest version links, each once: a number, or an id if the number is not known. */
  linksTo?: string[];
  /** The SOPs that the latest or the published version links, for a database index. */
  linkedAny?: string[];
  /** The published version that readers see; null without one. */
  published: PublishedVersion | null;
  /** An approved or published version whose day has not come. Until then, readers keep the published version. */
  scheduled: (PublishedVersion & { approvals: EventApproval[] }) | null;
  /** The latest outcome of a periodic review; absent before the first. */
  lastReview?: { name: string; username?: string; at: string; verdict: ReviewVerdict };
  /** The id of the approval request that waits for decisions about the latest version; null without one. */
  requestId: string | null;
  /** The user ids of the approvers of `requestId`. Until the request is resolved, they can read and comment on the SOP. */
  approvers: string[];
  /** The user ids of those `approvers` who have not decided. Absent before the first request. */
  waitingFor?: string[];
  /** True if the SOP is not deleted and a version is published or scheduled as the latest. For a database index. */
  matchesPublished: boolean;
  /** For an archived SOP that was published: the version in `archive/` on `main`; null for others. */
  lastPublished: { version: number; title: string; contentHash: string } | null;
  restricted: boolean;
  /** The shares of this SOP, at most one for each user or team (`docs/spec/permissions.md`). */
  grants: Grant[];
  /** The users and teams of `grants` and `approvers`, for a database index: `user:<id>`, `team:<id>`. */
  grantees: string[];
  deletedAt: string | null;
  /** True for an SOP that is neither archived nor deleted. Lists show these SOPs by default. */
  live: boolean;
  /** True once the SOP has been published, so that `slug` no longer changes. */
  addressFixed?: true;
  /** True if AI wrote the whole text of a version. Every later version then says that AI had a part in it. */
  aiDrafted?: true;
  /** True if a version is published and the SOP isn't deleted, so that readers can see it. */
  hasPublished: boolean;
  /** Every write increases this number, so that only one of two writers of the same state succeeds. */
  revision: number;
  createdAt: string;
  updatedAt: string;
}

/**
 * Versions never change, and users can't delete them. `frontMatter` + `markdown` make the exact file whose SHA-256 is
 * `contentHash`.
 */
export interface StoredVersion extends OwnedByCompany {
  sopId: string;
  version: number;
  title: string;
  description: string;
  markdown: string;
  frontMatter: FrontMatter;
  /** The SHA-256 hashes of the assets that the text links. */
  assets: string[];
  /** Offsets in `markdown` of links that are relative in git. */
  assetPlaces: number[];
  /** The links to other SOPs; absent if there are none. */
  sopLinks?: SopLink[];
  contentHash: string;
  /** Hashes of `markdown` that find nearly the same text in another SOP (`core/approvals/said.ts`). */
  textMarks: string[];
  changedBy: string;
  changedByName: string;
  /** Absent in records from before usernames were stored. */
  changedByUsername?: string;
  /** The other people who wrote parts of the text; empty or absent if there are none. */
  writers?: VersionWriter[];
  changeNote: string | null;
  changeClass: "minor" | "major";
  /** The number of the version whose text this version restores; null for others. */
  restores: number | null;
  /** The version that the user edited, if it was not the latest one. */
  madeFrom?: number;
  /** The AI's part in the text; absent for a text without AI. */
  ai?: AiPart[];
  /** True if the editor saved the version during a pause; absent if the user saved it. */
  automatic?: true;
  /** The number of the ledger event that stores this version. It leads to the version's commit. */
  repoSeq: number;
  createdAt: string;
}

export interface StoredApprover {
  id: string;
  userId: string;
  /** The name at the time of the decision; before it, the name at the request. It stays when the user is deleted. */
  name: string;
  /** Absent in records from before usernames were stored, like the other usernames of the record. */
  username?: string;
  initials: string;
  status: ApprovalStatus;
  comment: string | null;
  respondedAt: string | null;
  /** The hash of the text that the approver decided about. */
  contentHash: string | null;
  /** The time at which another approver took this place; null for a current approver. */
  replacedAt: string | null;
  /** True if the approver made the request or wrote a part of the text, and the company allows self-approval. */
  isOwnWork: boolean;
}

/** A request pins a version by its hash; decisions are never changed. */
export interface StoredRequest extends OwnedByCompany {
  sopId: string;
  version: number;
  contentHash: string;
  requestedBy: string;
  requestedByName: string;
  requestedByUsername?: string;
  requestNote: string | null;
  /** The change class for the publication after the last approval; absent: the class of the version. */
  changeClass?: "minor" | "major";
  /** The effective date for that publication, `YYYY-MM-DD`; null for at once; absent: the date in the text. */
  effectiveAt?: string | null;
  rule: ApprovalRule;
  status: ApprovalStatus;
  outcome: ApprovalOutcome | null;
  approvers: StoredApprover[];
  /** The user ids of the approvers who have not decided; empty for a resolved request. */
  waitingFor: string[];
  /** The waiting approvers who can't decide at the moment. The requester's notification names them. */
  unable?: string[];
  createdAt: string;
  resolvedAt: string | null;
  /**
   * The user who withdrew or canceled the request, with the name at that time. Absent after a decision, and in old
   * records.
   */
  endedBy?: { userId: string; name: string; username?: string; comment: string | null };
}

/** The outcome of a periodic review of the version that was published at the time. It never changes. */
export interface StoredReview extends OwnedByCompany {
  sopId: string;
  version: number;
  contentHash: string;
  verdict: ReviewVerdict;
  note: string | null;
  /** The review date that the version had before this review; null if it had none. */
  due: string | null;
  /** The next review date; null for none, and for an outcome other than `keep`. */
  reviewBy: string | null;
  reviewedBy: string;
  reviewedByName: string;
  reviewedByUsername?: string;
  createdAt: string;
}
