/** Every stored document in one place: the seed's entities (§3) with `_id` for `id`, and what the design adds. */
import type { Grant, UserPermission } from "#core/access/actor.ts";
import type { Role } from "#core/access/roles.ts";
import type { Anchor } from "#core/comments/anchor.ts";
import type { CommentAudience } from "#core/comments/schema.ts";
import type { ApprovalRule, CompanySettings } from "#core/companies/settings.ts";
import type { NotificationKind } from "#core/notifications/kinds.ts";
import type { ReviewVerdict } from "#core/reviews/schema.ts";
import type { TokenScope } from "#core/tokens/scopes.ts";
import type { FrontMatter } from "#core/markdown/front-matter.ts";
import type { Approval, RepoEvent } from "#core/repository/event.ts";
import type { BaseDocument } from "./port.ts";

interface Tenant extends BaseDocument {
  companyId: string;
}
interface Dated {
  createdAt: string;
  updatedAt: string;
}

/** What lists sort and find a record by: made anew with each change of what it is made from (`core/search-keys.ts`). */
interface Found {
  nameKey: string;
  words: string[];
}

export interface CompanyDocument extends BaseDocument, Dated, Found {
  name: string;
  slug: string;
  description: string | null;
  logo: string | null;
  website: string | null;
  industry: string | null;
  size: string | null;
  status: "active" | "suspended" | "deleted";
  settings: CompanySettings;
  subscription: string;
  maxUsers: number;
  maxSOPs: number;
  /** Places taken, kept by conditional updates so that quotas hold under concurrency. */
  userCount: number;
  sopCount: number;
}

export interface UserDocument extends Tenant, Dated, Found {
  username: string;
  email: string | null;
  password: string;
  name: string;
  role: Role;
  initials: string;
  department: string | null;
  title: string | null;
  phone: string | null;
  avatar: string | null;
  status: "active" | "suspended" | "deleted";
  emailVerified: boolean;
  openaiApiKey: string | null;
  aiFeaturesEnabled: boolean;
  lastLoginAt: string | null;
  passwordChangedAt: string | null;
  /** Kept with `team_members`, so that a request needs no second query to know its teams. */
  teamIds: string[];
  /** Raised by a password, role or status change: every older session and token check fails at once. */
  sessionVersion: number;
  /** Single rights given or denied beyond the role (seed §3, user_permissions); expiry is compared when deciding. */
  permissions: UserPermission[];
  /** When the next of them ends: then open browsers are told. */
  rightsEndAt?: string | null;
  /** Kinds of notifications that also come by mail; a kind that is absent does. */
  mailChoices: Record<string, boolean>;
}

/** `_id` is the SHA-256 of the cookie's value: the database never holds what signs somebody in. */
export interface SessionDocument extends BaseDocument {
  userId: string;
  companyId: string;
  sessionVersion: number;
  createdAt: string;
  authenticatedAt: string;
  lastSeenAt: string;
  expiresAt: string;
  userAgent: string | null;
}

export interface TokenDocument extends Tenant {
  userId: string;
  name: string;
  hash: string;
  /** First and last characters, to recognise a token by. */
  hint: string;
  scopes: TokenScope[];
  sessionVersion: number;
  createdAt: string;
  expiresAt: string;
  lastUsedAt: string | null;
}

export interface CategoryDocument extends Tenant, Dated {
  name: string;
  slug: string;
  color: string;
  teamId: string | null;
  order: number;
  /** Its SOPs are published through approval only, whatever the company's document control. */
  requiresApproval: boolean;
  /** In place of the company's rule. */
  approvalRule: ApprovalRule | null;
  /** Months to the next review in place of the company's; null: the company's. */
  reviewMonths: number | null;
}

export interface TeamDocument extends Tenant, Dated {
  name: string;
  slug: string;
  description: string | null;
  ownerId: string;
}

export interface TeamMemberDocument extends Tenant {
  teamId: string;
  userId: string;
  role: string;
  joinedAt: string;
}

/** What a version is about, as lists show it. */
export interface SopSummary {
  title: string;
  description: string;
  readTime: number;
  isTemplate: boolean;
  isAiGenerated: boolean;
  ownerId: string | null;
  teamId: string | null;
  tags: string[];
  lang: string | null;
  words: string[];
}

/** A version as readers see it in lists. */
export interface SopInForce extends SopSummary {
  version: number;
  contentHash: string;
  reviewBy: string | null;
  updatedAt: string;
  /** What it links, as `SopDocument.assets`. */
  assets: string[];
}

/** Identity and head of an SOP; texts stand in `sop_versions`. */
export interface SopDocument extends Tenant, Dated, SopSummary {
  number: number;
  slug: string;
  categoryId: string | null;
  authorId: string;
  status: "draft" | "under_review" | "published" | "archived";
  views: number;
  version: number;
  contentHash: string;
  /** `<sha256>.<ext>` of the assets the head links, stored here or not. */
  assets: string[];
  publishedVersion: number | null;
  effectiveAt: string | null;
  reviewBy: string | null;
  /** The version in force as readers see it; null when none is. */
  inForce: SopInForce | null;
  /** An approved or published version whose day has not come: readers keep what they have until then. */
  scheduled: (SopInForce & { effectiveAt: string; approvals: Approval[] }) | null;
  /** The approval request that waits for decisions about the head. */
  requestId: string | null;
  /** Whom that request names; they read and comment the head until it is resolved. */
  approvers: string[];
  /** Those of them who have not decided. */
  waitingFor?: string[];
  /** A version is in force, or is going to be, or the head was published: what the filter "Published" finds. */
  isPublished: boolean;
  /** What `archive/` on `main` shows of an archived SOP that was in force; null otherwise. */
  lastInForce: { version: number; title: string; contentHash: string } | null;
  restricted: boolean;
  /** Rights on this SOP beyond the roles (seed §3, sop_permissions), at most one a user and one a team. */
  grants: Grant[];
  /** `grants` and `approvers` as an index sees them: `user:<id>`, `team:<id>`. */
  grantees: string[];
  deletedAt: string | null;
  /** Neither archived nor deleted: what lists show by default. */
  live: boolean;
  /** A version is in force and the SOP is not deleted: what readers see. */
  hasForce: boolean;
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
  /** Where in `markdown` their links stand that git holds as relative ones. */
  assetPlaces: number[];
  contentHash: string;
  changedBy: string;
  changedByName: string;
  changeNote: string | null;
  changeClass: "minor" | "major";
  restores: number | null;
  /** The ledger event that stores this version: leads to its commit. */
  repoSeq: number;
  createdAt: string;
}

/** From when to when a version was in force: what was true on a date is read from here. */
export interface ForcePeriodDocument extends Tenant {
  sopId: string;
  version: number;
  title: string;
  contentHash: string;
  from: string;
  /** null while it is in force. */
  until: string | null;
}

export interface ApproverDocument {
  id: string;
  userId: string;
  /** As printed when he was asked; kept when the user is gone. */
  name: string;
  initials: string;
  status: "pending" | "approved" | "rejected";
  comment: string | null;
  respondedAt: string | null;
  /** What he decided about. */
  contentHash: string | null;
  replacedAt: string | null;
  /** He asked, or wrote a part of it: the company allows approving one's own work. */
  isOwnWork: boolean;
}

/** A request pins a version by its hash; decisions are never changed. */
export interface ApprovalRequestDocument extends Tenant {
  sopId: string;
  version: number;
  contentHash: string;
  requestedBy: string;
  requestedByName: string;
  requestNote: string | null;
  rule: ApprovalRule;
  status: "pending" | "approved" | "rejected";
  outcome: "approved" | "rejected" | "changes_requested" | "withdrawn" | "voided" | null;
  approvers: ApproverDocument[];
  /** Whom it waits for; empty once it is resolved. */
  waitingFor: string[];
  createdAt: string;
  resolvedAt: string | null;
}

/** What a periodic review found of the version in force then; never changed. */
export interface ReviewDocument extends Tenant {
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
  createdAt: string;
}

/** A deadline that was met: what is told once is told in the transaction that stores this. `_id` names it. */
export interface DeadlineMarkDocument extends Tenant {
  at: string;
}

/** One comment. Printed names stay when their bearers go. */
export interface CommentDocument extends Tenant {
  sopId: string;
  /** The comment that opened the thread; null for that one. */
  parentId: string | null;
  version: number;
  /** A reply has its thread's. */
  audience: CommentAudience;
  anchor: Anchor | null;
  body: string;
  mentions: { id: string; name: string; username: string }[];
  authorId: string;
  authorName: string;
  authorInitials: string;
  createdAt: string;
  editedAt: string | null;
  removedAt: string | null;
  resolvedAt: string | null;
  resolvedBy: { id: string; name: string } | null;
}

/** Who is asked to confirm that he has read an SOP; one for each SOP that asks. */
export interface AcknowledgementAskDocument extends Tenant {
  sopId: string;
  /** `everyone`, `user:<id>`, `team:<id>`. */
  audience: string[];
  /** Since when each of them is asked. */
  since: Record<string, string>;
  dueDays: number | null;
  askedBy: string;
  askedByName: string;
  createdAt: string;
}

/** "I have read this version": never changed, never deleted. */
export interface AcknowledgementDocument extends Tenant {
  sopId: string;
  userId: string;
  /** As printed when he confirmed. */
  userName: string;
  version: number;
  contentHash: string;
  at: string;
}

/** Something a user is told of. What it says is put together when it is read: by then the SOP may be out of his sight. */
export interface NotificationDocument extends Tenant {
  userId: string;
  kind: NotificationKind;
  sopId: string | null;
  actorId: string | null;
  actorName: string | null;
  /** Ids and words the text needs: never a title or a text of an SOP. */
  detail: Record<string, string | number | null>;
  createdAt: string;
  readAt: string | null;
  /** It waits for the next mail to its reader. */
  toMail: boolean;
}

/** One user and one SOP: starred, opened, changed. `_id` is `<userId>:<sopId>`. */
export interface SopMarkDocument extends Tenant {
  userId: string;
  sopId: string;
  favorite: boolean;
  /** Opened or changed last; absent when only starred. */
  recentAt?: string;
}

/** Which imported source became which SOP, so that a second import changes nothing. */
export interface SopSourceDocument extends Tenant {
  /** `id:<uuid>` or `path:<relative path>` */
  key: string;
  path: string;
  sha256: string;
  sopId: string;
  /** The head that the import left: a head beyond it was edited here. */
  version: number;
  importId: string;
  at: string;
}

export interface AssetDocument extends Tenant {
  sha256: string;
  ext: string;
  type: string;
  size: number;
  uploadedBy: string;
  /** Everybody who uploaded these bytes: they may read them before any version links them. */
  uploaders: string[];
  createdAt: string;
  bytes?: Uint8Array;
}

/** One per company: sequences and counts, moved in the same transaction as what they count. `_id` is the company's id. */
export interface CounterDocument extends Tenant {
  sopNumber: number;
  repoSeq: number;
  eventSeq: number;
  /** SOPs by what their head is; restricted and deleted ones are not counted here. */
  heads: Record<string, number>;
  /** SOPs with a version in force; restricted and deleted ones are not counted here. */
  inForce: number;
  /** category id (or `none`) → heads not archived · in force */
  categories: Record<string, { heads: number; inForce: number }>;
}

export interface AuditDocument extends Tenant {
  /** Until the chaining job has given it its place. */
  pending?: true;
  /** Its place in the chain; absent while pending, like the four below. */
  seq?: number;
  /** The chain covers SHA-256 over salt and payload: the payload can be erased without breaking it. */
  salt?: string;
  payloadDigest?: string;
  prevHash?: string;
  hash?: string;
  userId: string | null;
  userName: string | null;
  action: string;
  entityType: string;
  entityId: string | null;
  changes: Record<string, unknown> | null;
  ipAddress: string | null;
  userAgent: string | null;
  requestId: string | null;
  createdAt: string;
}

/** A signed statement of how far a company's chain had come (`research/security.md` §5). */
export interface CheckpointDocument extends Tenant {
  seq: number;
  head: string;
  at: string;
  prevCheckpointHash: string | null;
  kid: string;
  signature: string;
}

/** `_id` is the SHA-256 of the token that the mailed link holds. */
export interface PasswordResetDocument extends BaseDocument {
  userId: string;
  /** The address it was mailed to: it works while that is the user's. Null when it was handed over. */
  mailedTo: string | null;
  companyId: string;
  expiresAt: string;
  usedAt: string | null;
  createdAt: string;
}

/** `_id` is the SHA-256 of the invitation link's token. */
export interface InvitationDocument extends Tenant {
  /** What the list knows it by. */
  key: string;
  role: Role;
  email: string | null;
  invitedBy: string;
  invitedByName: string;
  createdAt: string;
  expiresAt: string;
  usedAt: string | null;
  usedBy: string | null;
  revokedAt: string | null;
}

/** A browser that has signed this user in before. `_id` is the SHA-256 of its cookie. */
export interface KnownDeviceDocument extends BaseDocument {
  userId: string;
  lastUsedAt: string;
  expiresAt: string;
}

/** What other browsers are told: ids only, never content. */
export interface EventDocument extends Tenant {
  seq: number;
  resources: string[];
  sopId: string | null;
  /** What is in force changed, not a draft alone: readers may be told which SOP it was. */
  readersSee?: boolean;
  /** For these users alone. */
  to?: string[];
  /** Besides those in `to`, for who sees all heads, or the heads of all that is in force. */
  orHeads?: "all" | "in_force";
  at: string;
}

export interface OutboxDocument extends BaseDocument {
  companyId: string | null;
  kind: string;
  payload: Record<string, unknown>;
  state: "pending" | "done" | "failed";
  attempts: number;
  dueAt: string;
  lastError: string | null;
  createdAt: string;
}

/** A lease with a fencing number: who holds it may have outside effects. `_id` names the job. */
export interface LeaseDocument extends BaseDocument {
  holder: string;
  fence: number;
  until: string;
}

export interface IdempotencyDocument extends BaseDocument {
  userId: string;
  bodyHash: string;
  /** `committed`: the effect is stored, the answer is not; the server died in between. */
  state: "running" | "committed" | "done";
  entityId: string | null;
  status: number | null;
  body: string | null;
  expiresAt: string;
}

/** Things there is one of: the set-up link's hash, generated keys. `_id` names it. */
export interface SystemDocument extends BaseDocument {
  value: string;
  at: string;
}

export interface LimiterDocument extends BaseDocument {
  points: number;
  expiresAt: string;
}

export type RepoEventDocument = RepoEvent;

export interface Collections {
  companies: CompanyDocument;
  users: UserDocument;
  sessions: SessionDocument;
  tokens: TokenDocument;
  categories: CategoryDocument;
  teams: TeamDocument;
  team_members: TeamMemberDocument;
  sops: SopDocument;
  sop_versions: SopVersionDocument;
  sop_sources: SopSourceDocument;
  sop_marks: SopMarkDocument;
  force_periods: ForcePeriodDocument;
  approval_requests: ApprovalRequestDocument;
  comments: CommentDocument;
  reviews: ReviewDocument;
  deadline_marks: DeadlineMarkDocument;
  acknowledgement_asks: AcknowledgementAskDocument;
  acknowledgements: AcknowledgementDocument;
  notifications: NotificationDocument;
  assets: AssetDocument;
  counters: CounterDocument;
  audit_logs: AuditDocument;
  audit_checkpoints: CheckpointDocument;
  password_resets: PasswordResetDocument;
  invitations: InvitationDocument;
  known_devices: KnownDeviceDocument;
  repo_events: RepoEventDocument;
  events: EventDocument;
  outbox: OutboxDocument;
  leases: LeaseDocument;
  idempotency: IdempotencyDocument;
  limiters: LimiterDocument;
  system: SystemDocument;
}
