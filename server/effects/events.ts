/**
 * Defines the events of a company, for the followers in `server/effects/followers.ts`. Each action of the audit log
 * that is a change has a kind of event.
 */
import type { ApprovalFacts } from "#core/life-cycle/step.ts";

export type { ApprovalFacts };

const sopKinds = {
  "sop.archive": "sop.archived",
  "sop.create": "sop.created",
  "sop.delete": "sop.deleted",
  "sop.lapse": "sop.lapsed",
  "sop.move": "sop.moved",
  "sop.publish": "sop.published",
  "sop.restore": "sop.version_restored",
  "sop.review": "sop.reviewed",
  "sop.save": "sop.saved",
  "sop.schedule": "sop.scheduled",
  "sop.unarchive": "sop.unarchived",
  "sop.undelete": "sop.undeleted",
  "sop.unpublish": "sop.unpublished",
} as const;

const approvalKinds = {
  "sop.approve": "approval.approved",
  "sop.reject": "approval.rejected",
  "sop.replace_approver": "approval.approver_replaced",
  "sop.request_approval": "approval.requested",
  "sop.request_changes": "approval.changes_requested",
  "sop.withdraw": "approval.withdrawn",
} as const;

const memberKinds = {
  "team.member_add": "team.member_added",
  "team.member_change": "team.member_changed",
  "team.member_remove": "team.member_removed",
} as const;

const otherKinds = {
  "account.email_confirmed": "account.email_confirmed",
  "account.register": "account.registered",
  "account.session_ended": "account.session_ended",
  "account.sessions_ended": "account.sessions_ended",
  "account.update": "account.updated",
  "ai.enhance": "ai.called",
  "ai.generate": "ai.called",
  "ai.improve": "ai.called",
  "ai.suggest": "ai.called",
  "asset.sweep": "asset.removed",
  "asset.upload": "asset.uploaded",
  "category.create": "category.created",
  "category.update": "category.updated",
  "company.activate": "company.activated",
  "company.create": "company.created",
  "company.delete": "company.deleted",
  "company.suspend": "company.suspended",
  "company.update": "company.updated",
  "invitation.create": "invitation.created",
  "invitation.revoke": "invitation.revoked",
  "mirror.check": "mirror.checked",
  "mirror.diverged": "mirror.diverged",
  "mirror.proposed": "mirror.proposed",
  "mirror.remove": "mirror.removed",
  "mirror.resume": "mirror.resumed",
  "mirror.secret": "mirror.secret_replaced",
  "mirror.take": "mirror.taken",
  "mirror.update": "mirror.updated",
  "proposal.accept": "proposal.accepted",
  "proposal.create": "proposal.created",
  "proposal.dismiss": "proposal.dismissed",
  "proposal.merge": "proposal.merged",
  "proposal.supersede": "proposal.superseded",
  "role.permission": "role.updated",
  "search.ask": "search.asked",
  "settings.update": "settings.updated",
  "sop.acknowledge": "reading.confirmed",
  "sop.acknowledgement_ask": "reading.asked",
  "sop.acknowledgement_end": "reading.ended",
  "sop.acknowledgement_remind": "reading.reminded",
  "sop.comment": "comment.added",
  "sop.comment_edit": "comment.edited",
  "sop.comment_remove": "comment.removed",
  "sop.comment_reopen": "comment.reopened",
  "sop.comment_resolve": "comment.resolved",
  "sop.favorite": "sop.favorite_added",
  "sop.grant": "sop.shared",
  "sop.restrict": "sop.restricted",
  "sop.revoke": "sop.unshared",
  "sop.unfavorite": "sop.favorite_removed",
  "sop.unrestrict": "sop.unrestricted",
  "suggestion.create": "suggestion.created",
  "suggestion.status": "suggestion.decided",
  "suggestion.suggest": "suggestion.searched",
  "team.create": "team.created",
  "team.delete": "team.deleted",
  "team.update": "team.updated",
  "token.create": "token.created",
  "token.revoke": "token.revoked",
  "user.activate": "user.activated",
  "user.create": "user.created",
  "user.delete": "user.deleted",
  "user.permission_clear": "user.permissions_changed",
  "user.permission_deny": "user.permissions_changed",
  "user.permission_give": "user.permissions_changed",
  "user.reset_password": "user.password_reset",
  "user.suspend": "user.suspended",
  "user.update": "user.updated",
} as const;

export const kinds = { ...sopKinds, ...approvalKinds, ...memberKinds, ...otherKinds };

export type AuditedSopAction = keyof typeof sopKinds;
export type ApprovalAction = keyof typeof approvalKinds;
export type MemberAction = keyof typeof memberKinds;
/** An audit action whose event has no facts, because its followers need only the actor and the entity. */
export type PlainAction = keyof typeof otherKinds;

export type SopKind = (typeof sopKinds)[AuditedSopAction];
export type ApprovalKind = (typeof approvalKinds)[ApprovalAction];
export type MemberKind = (typeof memberKinds)[MemberAction];
/**
 * A kind of event. `approval.canceled` has no audit action, because the change of the SOP that cancels the request is
 * recorded instead.
 */
export type EventKind = (typeof kinds)[keyof typeof kinds] | "approval.canceled";

export interface SopEventFacts {
  version: number;
  /** The number of the published version, before and after the change. */
  published: { from: number | null; to: number | null };
  /** The scheduled version that takes effect now. */
  scheduled?: number;
}

/** The user who joined or left the team, or whose role in it changed. */
export interface MemberFacts {
  userId: string;
}

type FactsOf<K extends EventKind> = K extends SopKind
  ? SopEventFacts
  : K extends ApprovalKind
    ? ApprovalFacts
    : K extends "approval.canceled"
      ? { requestId: string }
      : K extends MemberKind
        ? MemberFacts
        : null;

export type EventWithFacts<K extends EventKind = EventKind> = K extends EventKind
  ? { kind: K; entityType: string; entityId: string | null; facts: FactsOf<K> }
  : never;

export type DomainEvent<K extends EventKind = EventKind> = EventWithFacts<K> & {
  companyId: string;
  at: string;
  /** The user who made the change; null for the server. */
  actor: { _id: string; name: string; username?: string } | null;
};
