/** The life cycle of SOPs: publication, approval, review, comments, reading, notifications. */
import type { Anchor } from "#core/comments/anchor.ts";
import type { CommentAudience } from "#core/comments/schema.ts";
import type { ApprovalRule } from "#core/companies/settings.ts";
import type { NotificationKind } from "#core/notifications/kinds.ts";
import type { ReviewVerdict } from "#core/sops/review-verdicts.ts";
import type { Tenant } from "./parts.ts";

/** From when to when a version was published. Answers questions about a past date. */
export interface PublishedPeriodDocument extends Tenant {
  sopId: string;
  version: number;
  title: string;
  contentHash: string;
  from: string;
  /** null while it is published. */
  until: string | null;
  /** The answers at the publication. Absent: those of the versions saved since the one before. */
  changeClass?: "minor" | "major";
  changeNote?: string;
  /** The effective date chosen then; null: none. Absent: that of its text. */
  effective?: string | null;
}

export interface ApproverDocument {
  id: string;
  userId: string;
  /** The name at the time of the decision, before that of the request; stays when the user is deleted. */
  name: string;
  /** Here and below: absent in records from before usernames were kept. */
  username?: string;
  initials: string;
  status: "pending" | "approved" | "rejected";
  comment: string | null;
  respondedAt: string | null;
  /** The hash of the text that this decision is about. */
  contentHash: string | null;
  replacedAt: string | null;
  /** The approver made the request or wrote a part of the text, and the company allows self-approval. */
  isOwnWork: boolean;
}

/** A request pins a version by its hash; decisions are never changed. */
export interface ApprovalRequestDocument extends Tenant {
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
  status: "pending" | "approved" | "rejected";
  outcome: "approved" | "rejected" | "changes_requested" | "withdrawn" | "voided" | null;
  approvers: ApproverDocument[];
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
  reviewedByUsername?: string;
  createdAt: string;
}

/**
 * A met deadline. The transaction that stores it also writes its notifications, so they go out once. `_id` names it.
 */
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
  content: string;
  mentions: { id: string; name: string; username: string }[];
  userId: string;
  authorName: string;
  /** Absent in old records. */
  authorUsername?: string;
  authorInitials: string;
  createdAt: string;
  updatedAt: string;
  editedAt: string | null;
  removedAt: string | null;
  resolvedAt: string | null;
  resolvedBy: { id: string; name: string; username?: string } | null;
}

/** The audience of an SOP's read confirmation; one document for each SOP that requires it. */
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
  /** The name at the time of the confirmation. */
  userName: string;
  username?: string;
  version: number;
  contentHash: string;
  at: string;
}

/** A notification. Its text is built when it is read, because the user may no longer see the SOP. */
export interface NotificationDocument extends Tenant {
  userId: string;
  kind: NotificationKind;
  sopId: string | null;
  actorId: string | null;
  /** With the username, except in notifications from before usernames were kept. */
  actorName: string | null;
  /** Ids and words the text needs: never a title or a text of an SOP. */
  detail: Record<string, string | number | null>;
  createdAt: string;
  readAt: string | null;
  /** It waits for the next email to its reader. */
  toMail: boolean;
}

/** One user's use of an SOP: favorite, opened, changed. `_id` is `<userId>:<sopId>`. */
export interface SopUseDocument extends Tenant {
  userId: string;
  sopId: string;
  favorite: boolean;
  /** When it was last opened or changed; absent if it is only a favorite. */
  recentAt?: string;
}
