/** Notifies people about a request, and marks notifications as read for users who no longer have to act on it. */
import type { NotificationKind } from "#core/notifications/kinds.ts";
import type { ApprovalFacts, ApprovalKind } from "../effects/events.ts";
import type { Follower } from "../effects/follower.ts";
import { notifyUsers } from "../notifications/notify.ts";
import { markRequestNotificationsRead } from "../notifications/settle.ts";

interface Notices {
  /** Users whose notifications about the request are marked as read, because they no longer have to act. */
  settled: readonly string[];
  sent: readonly {
    kind: NotificationKind;
    to: readonly (string | null)[];
    detail?: Record<string, string | number | null>;
  }[];
}

export const notifyOfApprovals: Follower<ApprovalKind> = {
  name: "approval notices",
  follows: [
    "approval.requested",
    "approval.approved",
    "approval.rejected",
    "approval.changes_requested",
    "approval.withdrawn",
    "approval.approver_replaced",
  ],
  async within(tx, { kind, companyId, entityId: sopId, at, actor, facts }) {
    const { requestId, version } = facts;
    const { settled, sent } = approvalNotices(kind, facts, actor?._id ?? null);
    await markRequestNotificationsRead(tx, { companyId, requestId, users: settled, at });
    for (const one of sent) {
      const to = one.to.filter((id) => id !== null);
      const detail = { requestId, version, ...one.detail };
      await notifyUsers(tx, { companyId, to, kind: one.kind, sopId, actor, detail, at });
    }
  },
};

function approvalNotices(kind: ApprovalKind, facts: ApprovalFacts, actorId: string | null): Notices {
  const { requestedBy, ownerId, approvers, outcome, left, replaced } = facts;
  const noticesOfDecision = (decision: NotificationKind): Notices => ({
    settled: outcome === null ? [actorId].filter((id) => id !== null) : approvers,
    // once the request has an outcome, all people involved get a notification; before that, only the requester
    sent: [
      {
        kind: decision,
        to: outcome === null ? [requestedBy] : [requestedBy, ownerId, ...approvers],
        detail: { outcome, left },
      },
    ],
  });
  switch (kind) {
    case "approval.requested":
      return { settled: [], sent: [{ kind: "approval_requested", to: approvers }] };
    case "approval.approved":
      return noticesOfDecision("approval_approved");
    case "approval.rejected":
      return noticesOfDecision("approval_rejected");
    case "approval.changes_requested":
      return noticesOfDecision("approval_changes_requested");
    case "approval.withdrawn":
      return { settled: approvers, sent: [{ kind: "approval_withdrawn", to: [requestedBy, ...approvers] }] };
    case "approval.approver_replaced":
      return replaced === undefined
        ? { settled: [], sent: [] }
        : {
            settled: [replaced.from],
            sent: [
              { kind: "approval_requested", to: [replaced.to] },
              { kind: "approver_replaced", to: [replaced.from] },
            ],
          };
  }
}
