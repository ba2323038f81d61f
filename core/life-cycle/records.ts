/** The records that the life cycle of an SOP changes, as they are stored. */
import type { ApprovalOutcome, ApprovalStatus } from "../approvals/rules.ts";
import type { Writer } from "../approvals/writers.ts";
import type { ApprovalRule } from "../companies/settings.ts";
import type { FrontMatter } from "../markdown/front-matter.ts";
import type { SopLink } from "../markdown/sop-links.ts";
import type { Grant } from "../permissions/actor.ts";
import type { Approval } from "../repository/event.ts";
import type { SopSummary } from "../sop-fields.ts";
import type { AiPart } from "../sops/ai-part.ts";
import type { ReviewVerdict } from "../sops/review-verdicts.ts";
import type { SopStatus } from "../sops/statuses.ts";

interface Stored {
  _id: string;
  companyId: string;
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
  /** The assets it links, as `StoredSop.assets`. */
  assets: string[];
  /** The SOPs it links, as `StoredSop.linksTo`; absent where the version was published before links were kept. */
  linksTo?: string[];
  /** The approvals that published it; absent if they aren't stored here. */
  approvals?: Approval[];
  /** The answers at its publication. Absent: those of its version. */
  changeClass?: "minor" | "major";
  changeNote?: string;
}

/** Identity and latest version of an SOP. The texts are in `sop_versions`. */
export interface StoredSop extends Stored, SopSummary {
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
  /** A version is published, or the latest one is scheduled. An index finds both by it. */
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
  createdAt: string;
  updatedAt: string;
}

/** Never changed, never deleted by users. `frontMatter` + `markdown` make the exact file whose SHA-256 is `contentHash`. */
export interface StoredVersion extends Stored {
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

export interface StoredApprover {
  id: string;
  userId: string;
  /** The name at the time of the decision, before that of the request; stays when the user is deleted. */
  name: string;
  /** Here and below: absent in records from before usernames were kept. */
  username?: string;
  initials: string;
  status: ApprovalStatus;
  comment: string | null;
  respondedAt: string | null;
  /** The hash of the text that this decision is about. */
  contentHash: string | null;
  replacedAt: string | null;
  /** The approver made the request or wrote a part of the text, and the company allows self-approval. */
  isOwnWork: boolean;
}

/** A request pins a version by its hash; decisions are never changed. */
export interface StoredRequest extends Stored {
  sopId: string;
  version: number;
  contentHash: string;
  requestedBy: string;
  requestedByName: string;
  requestedByUsername?: string;
  requestNote: string | null;
  /** Of the publication that the last approval makes. Absent: those of the version. */
  changeClass?: "minor" | "major";
  effectiveAt?: string | null;
  rule: ApprovalRule;
  status: ApprovalStatus;
  outcome: ApprovalOutcome | null;
  approvers: StoredApprover[];
  /** The users it waits for; empty once it is resolved. */
  waitingFor: string[];
  /** Those of them who can't decide at the moment, as the requester's notification says. */
  unable?: string[];
  createdAt: string;
  resolvedAt: string | null;
  /** The user who withdrew or canceled it, with the name of that time. Absent after a decision, and in old records. */
  endedBy?: { userId: string; name: string; username?: string; comment: string | null };
}

/** The outcome of a periodic review of the version published then; never changed. */
export interface StoredReview extends Stored {
  sopId: string;
  version: number;
  contentHash: string;
  verdict: ReviewVerdict;
  note: string | null;
  /** The date that was met. */
  due: string | null;
  /** The next one. */
  reviewBy: string | null;
  reviewedBy: string;
  reviewedByName: string;
  reviewedByUsername?: string;
  createdAt: string;
}
