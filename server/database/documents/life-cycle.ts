/** Defines documents of the life cycle of SOPs: publication, approval, review, comments, reading, notifications. */
import type { CommentAnchor } from "#core/comments/anchor.ts";
import type { CommentAudience } from "#core/comments/schema.ts";
import type { StoredApprover, StoredRequest, StoredReview } from "#core/life-cycle/records.ts";
import type { NotificationKind } from "#core/notifications/kinds.ts";
import type { Tenant, StoredCollections } from "./parts.ts";
import { companyId, datedChecks, maybeNumber, maybeText, maybeTime, personCheck, texts } from "../shape-parts.ts";
import {
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

export type ApproverDocument = StoredApprover;
export type ApprovalRequestDocument = StoredRequest;
export type ReviewDocument = StoredReview;

/** A period in which a version was published. It shows which version readers saw on a past date. */
export interface PublishedPeriodDocument extends Tenant {
  sopId: string;
  version: number;
  title: string;
  contentHash: string;
  from: string;
  /** The end of the period; null while the version is published. */
  until: string | null;
  /**
   * The change class chosen at the publication. If absent, it follows from the versions saved since the previous
   * publication.
   */
  changeClass?: "minor" | "major";
  changeNote?: string;
  /**
   * The effective date chosen at the publication; null: no date was chosen. If absent, the date in the text applies.
   */
  effective?: string | null;
}

/**
 * The record that a deadline was handled. The transaction that stores it also writes the notifications, so they are
 * sent once. `_id` names the deadline.
 */
export interface DeadlineMarkDocument extends Tenant {
  at: string;
}

/** A comment. It keeps the names of its users even after they are deleted. */
export interface CommentDocument extends Tenant {
  sopId: string;
  /** The comment that opened the thread; null for that comment. */
  parentId: string | null;
  version: number;
  /** The users who can see the thread. Replies repeat the value of their thread. */
  audience: CommentAudience;
  anchor: CommentAnchor | null;
  content: string;
  mentions: { id: string; name: string; username: string }[];
  userId: string;
  authorName: string;
  /** Absent in records of earlier versions. */
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
  /** The ISO time since which each user or team has to confirm. */
  since: Record<string, string>;
  dueDays: number | null;
  askedBy: string;
  askedByName: string;
  createdAt: string;
}

/** A user's confirmation "I have read this version". It is never changed and never deleted. */
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

/** A notification. Its text is created when it is read, because its user may have lost access to the SOP by then. */
export interface NotificationDocument extends Tenant {
  userId: string;
  kind: NotificationKind;
  sopId: string | null;
  actorId: string | null;
  /** The printed name of the user, with the username; old notifications lack the username. */
  actorName: string | null;
  /** Ids and words that the text needs, but never a title or a text of an SOP. */
  detail: Record<string, string | number | null>;
  createdAt: string;
  readAt: string | null;
  /** True until an email to the user has included the notification. */
  toMail: boolean;
}

/** The record of a user's use of an SOP: favorite, opened, changed. `_id` is `<userId>:<sopId>`. */
export interface SopUseDocument extends Tenant {
  userId: string;
  sopId: string;
  favorite: boolean;
  /** The time when the user last read or changed the SOP; absent if the SOP is only a favorite. */
  recentAt?: string;
}

export interface LifeCycleCollections {
  sop_uses: SopUseDocument;
  published_periods: PublishedPeriodDocument;
  approval_requests: ApprovalRequestDocument;
  comments: CommentDocument;
  reviews: ReviewDocument;
  deadline_marks: DeadlineMarkDocument;
  acknowledgement_asks: AcknowledgementAskDocument;
  acknowledgements: AcknowledgementDocument;
  notifications: NotificationDocument;
}

export const lifeCycleCollections: StoredCollections<LifeCycleCollections> = {
  sop_uses: {
    tenant: true,
    indexes: [
      { name: "favorite", keys: { companyId: 1, userId: 1, favorite: 1, sopId: 1 } },
      { name: "by_time", keys: { companyId: 1, userId: 1, recentAt: 1, sopId: 1 } },
      { name: "sop", keys: { companyId: 1, sopId: 1 } },
    ],
    ifLost: "a favorite or a recent SOP, which its user marks again",
    shape: {
      companyId,
      userId: stringCheck,
      sopId: stringCheck,
      favorite: booleanCheck,
      recentAt: optionalCheck(timeCheck),
    },
  },
  published_periods: {
    tenant: true,
    indexes: [
      { name: "sop", keys: { companyId: 1, sopId: 1, from: -1 } },
      { name: "open", keys: { companyId: 1, sopId: 1, until: 1 } },
      { name: "by_time", keys: { companyId: 1, from: 1 } },
    ],
    shape: {
      companyId,
      sopId: stringCheck,
      version: numberCheck,
      title: stringCheck,
      contentHash: stringCheck,
      from: timeCheck,
      until: maybeTime,
      effective: optionalCheck(maybeText),
      changeClass: optionalCheck(stringCheck),
      changeNote: optionalCheck(maybeText),
    },
  },
  approval_requests: {
    tenant: true,
    indexes: [
      { name: "sop", keys: { companyId: 1, sopId: 1, createdAt: -1, _id: -1 } },
      { name: "waiting", keys: { companyId: 1, waitingFor: 1 }, array: "waitingFor" },
      { name: "requester", keys: { companyId: 1, requestedBy: 1, status: 1, createdAt: -1, _id: -1 } },
      { name: "status", keys: { companyId: 1, status: 1, createdAt: -1, _id: -1 } },
    ],
    shape: {
      companyId,
      sopId: stringCheck,
      version: numberCheck,
      contentHash: stringCheck,
      requestedBy: stringCheck,
      requestedByName: stringCheck,
      requestedByUsername: optionalCheck(stringCheck),
      requestNote: maybeText,
      changeClass: optionalCheck(stringCheck),
      effectiveAt: optionalCheck(maybeTime),
      rule: objectCheck,
      status: stringCheck,
      outcome: maybeText,
      approvers: arrayCheck(
        fieldsCheck({
          id: stringCheck,
          userId: stringCheck,
          name: stringCheck,
          initials: stringCheck,
          status: stringCheck,
          comment: maybeText,
          respondedAt: maybeTime,
          contentHash: maybeText,
          replacedAt: maybeTime,
          isOwnWork: booleanCheck,
        }),
      ),
      waitingFor: texts,
      unable: optionalCheck(texts),
      createdAt: timeCheck,
      resolvedAt: maybeTime,
      endedBy: optionalCheck(fieldsCheck({ userId: stringCheck, name: stringCheck, comment: maybeText })),
    },
  },
  comments: {
    tenant: true,
    indexes: [
      { name: "sop", keys: { companyId: 1, sopId: 1, createdAt: 1, _id: 1 } },
      { name: "thread", keys: { companyId: 1, parentId: 1, createdAt: 1, _id: 1 } },
    ],
    shape: {
      companyId,
      ...datedChecks,
      sopId: stringCheck,
      parentId: maybeText,
      version: numberCheck,
      audience: stringCheck,
      anchor: nullableCheck(objectCheck),
      content: stringCheck,
      mentions: arrayCheck(personCheck),
      userId: stringCheck,
      authorName: stringCheck,
      authorUsername: optionalCheck(stringCheck),
      authorInitials: stringCheck,
      editedAt: maybeTime,
      removedAt: maybeTime,
      resolvedAt: maybeTime,
      resolvedBy: nullableCheck(personCheck),
    },
  },
  reviews: {
    tenant: true,
    indexes: [{ name: "sop", keys: { companyId: 1, sopId: 1, createdAt: -1, _id: -1 } }],
    shape: {
      companyId,
      sopId: stringCheck,
      version: numberCheck,
      contentHash: stringCheck,
      verdict: stringCheck,
      note: maybeText,
      due: maybeTime,
      reviewBy: maybeTime,
      reviewedBy: stringCheck,
      reviewedByName: stringCheck,
      reviewedByUsername: optionalCheck(stringCheck),
      createdAt: timeCheck,
    },
  },
  deadline_marks: { tenant: true, indexes: [{ name: "age", keys: { at: 1 } }], ifLost: "a reminder goes out twice" },
  acknowledgement_asks: {
    tenant: true,
    indexes: [
      { name: "sop", keys: { companyId: 1, sopId: 1 }, unique: true },
      { name: "audience", keys: { companyId: 1, audience: 1 }, array: "audience" },
      { name: "age", keys: { createdAt: 1 } },
    ],
    shape: {
      companyId,
      sopId: stringCheck,
      audience: texts,
      since: objectCheck,
      dueDays: maybeNumber,
      askedBy: stringCheck,
      askedByName: stringCheck,
      createdAt: timeCheck,
    },
  },
  acknowledgements: {
    tenant: true,
    indexes: [
      { name: "once", keys: { companyId: 1, sopId: 1, userId: 1, version: 1 }, unique: true },
      { name: "user", keys: { companyId: 1, userId: 1, sopId: 1 } },
    ],
    shape: {
      companyId,
      sopId: stringCheck,
      userId: stringCheck,
      userName: stringCheck,
      username: optionalCheck(stringCheck),
      version: numberCheck,
      contentHash: stringCheck,
      at: timeCheck,
    },
  },
  notifications: {
    tenant: true,
    indexes: [
      { name: "user", keys: { companyId: 1, userId: 1, createdAt: -1, _id: -1 } },
      { name: "unread", keys: { companyId: 1, userId: 1, readAt: 1 } },
      { name: "age", keys: { createdAt: 1 } },
    ],
    swept: { by: "createdAt", afterMs: 90 * 24 * 3_600_000 },
    ifLost: "what it tells of is shown elsewhere",
    shape: {
      companyId,
      userId: stringCheck,
      kind: stringCheck,
      sopId: maybeText,
      actorId: maybeText,
      actorName: maybeText,
      detail: objectCheck,
      createdAt: timeCheck,
      readAt: maybeTime,
      toMail: booleanCheck,
    },
  },
};
