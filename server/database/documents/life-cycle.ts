/** The life cycle of SOPs: publication, approval, review, comments, reading, notifications. */
import type { CommentAnchor } from "#core/comments/anchor.ts";
import type { CommentAudience } from "#core/comments/schema.ts";
import type { StoredApprover, StoredRequest, StoredReview } from "#core/life-cycle/records.ts";
import type { NotificationKind } from "#core/notifications/kinds.ts";
import type { Tenant } from "./parts.ts";

export type ApproverDocument = StoredApprover;
export type ApprovalRequestDocument = StoredRequest;
export type ReviewDocument = StoredReview;

/** A period in which a version was published. Answers questions about a past date. */
export interface PublishedPeriodDocument extends Tenant {
  sopId: string;
  version: number;
  title: string;
  contentHash: string;
  from: string;
  /** The end of the period; null while the version is published. */
  until: string | null;
  /** The change class chosen at the publication. Absent: that of the versions saved since the previous publication. */
  changeClass?: "minor" | "major";
  changeNote?: string;
  /** The effective date chosen at the publication; null: no date was chosen. Absent: the date in the text. */
  effective?: string | null;
}

/**
 * A met deadline. The transaction that stores it also writes its notifications, so they are sent once. `_id` names the
 * deadline.
 */
export interface DeadlineMarkDocument extends Tenant {
  at: string;
}

/** A comment. The printed names stay after their users are deleted. */
export interface CommentDocument extends Tenant {
  sopId: string;
  /** The comment that opened the thread; null for that comment. */
  parentId: string | null;
  version: number;
  /** The audience of the thread, also in replies. */
  audience: CommentAudience;
  anchor: CommentAnchor | null;
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
  /** The time since which each user or team is asked. */
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

/** A notification. Its text is built when it is read, because its user may have lost access to the SOP. */
export interface NotificationDocument extends Tenant {
  userId: string;
  kind: NotificationKind;
  sopId: string | null;
  actorId: string | null;
  /** The name and username; without the username in old notifications. */
  actorName: string | null;
  /** Ids and words that the text needs, but never a title or a text of an SOP. */
  detail: Record<string, string | number | null>;
  createdAt: string;
  readAt: string | null;
  /** True until the next email to the reader, which includes the notification. */
  toMail: boolean;
}

/** The use of an SOP by a user: favorite, opened, changed. `_id` is `<userId>:<sopId>`. */
export interface SopUseDocument extends Tenant {
  userId: string;
  sopId: string;
  favorite: boolean;
  /** The time of the last reading or change; absent if the SOP is only a favorite. */
  recentAt?: string;
}
