/** What happens to SOPs: force, approval, review, comments, reading, notices. */
import type { Anchor } from "#core/comments/anchor.ts";
import type { CommentAudience } from "#core/comments/schema.ts";
import type { ApprovalRule } from "#core/companies/settings.ts";
import type { NotificationKind } from "#core/notifications/kinds.ts";
import type { ReviewVerdict } from "#core/reviews/schema.ts";
import type { Tenant } from "./parts.ts";

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
  /** Those of them who can't decide at the moment, as the requester was told. */
  unable?: string[];
  createdAt: string;
  resolvedAt: string | null;
  /** Who withdrew it or whose change voided it, as printed then; absent where it was decided, and in what ended before this was kept. */
  endedBy?: { userId: string; name: string; comment: string | null };
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
  content: string;
  mentions: { id: string; name: string; username: string }[];
  userId: string;
  authorName: string;
  authorInitials: string;
  createdAt: string;
  updatedAt: string;
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
