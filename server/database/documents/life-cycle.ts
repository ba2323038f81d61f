/** The life cycle of SOPs: publication, approval, review, comments, reading, notifications. */
import type { Anchor } from "#core/comments/anchor.ts";
import type { CommentAudience } from "#core/comments/schema.ts";
import type { StoredApprover, StoredRequest, StoredReview } from "#core/life-cycle/records.ts";
import type { NotificationKind } from "#core/notifications/kinds.ts";
import type { Tenant } from "./parts.ts";

export type ApproverDocument = StoredApprover;
export type ApprovalRequestDocument = StoredRequest;
export type ReviewDocument = StoredReview;

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
