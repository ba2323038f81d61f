/** Turns a request into a list of events. */
import type { ApprovalOutcome } from "#core/approvals/rules.ts";
import { countedApprovers, type ListedApproval } from "./approval-words.ts";

type Approver = ListedApproval["approvers"][number];

export type TimelineEvent =
  | { kind: "requested"; at: string; by: ListedApproval["requestedBy"]; text: string | null }
  | { kind: "approved" | "rejected" | "changes_requested"; at: string; approver: Approver }
  | { kind: "replaced"; at: string; approver: Approver }
  | { kind: "outcome"; at: string; outcome: ApprovalOutcome; endedBy: ListedApproval["endedBy"] }
  /** Events without a time: an approver is asked, is asked but can't sign in, or never answered. */
  | { kind: "waiting" | "unavailable" | "silent"; at: null; approver: Approver };

/**
 * Returns the request's events, oldest first, then the approvers who haven't decided. If a decision ended the request,
 * its event stands for the outcome too.
 */
export function timelineEventsOf(approval: ListedApproval): TimelineEvent[] {
  const { approvers, endedBy, outcome, resolvedAt, status } = approval;
  const decided = approvers.flatMap((approver): TimelineEvent[] =>
    approver.respondedAt === null
      ? []
      : [{ kind: decisionKindOf(approver, outcome), at: approver.respondedAt, approver }],
  );
  const replaced = approvers.flatMap((approver): TimelineEvent[] =>
    approver.replacedAt === null ? [] : [{ kind: "replaced", at: approver.replacedAt, approver }],
  );
  const past = [...decided, ...replaced].sort((a, b) => ((a.at ?? "") < (b.at ?? "") ? -1 : 1));
  // If a decision ended the request, its event already shows the outcome.
  const isSaid = outcome !== null && decided.some(({ kind }) => kind === outcome);
  const open = countedApprovers(approval).filter(({ respondedAt }) => respondedAt === null);
  const unanswered = open.map((approver): TimelineEvent => ({
    kind: status !== "pending" ? "silent" : approver.active ? "waiting" : "unavailable",
    at: null,
    approver,
  }));
  return [
    { kind: "requested", at: approval.createdAt, by: approval.requestedBy, text: approval.requestNote },
    ...past,
    ...(outcome !== null && resolvedAt !== null && !isSaid
      ? [{ kind: "outcome", at: resolvedAt, outcome, endedBy } as const]
      : []),
    ...unanswered,
  ];
}

/** Tells requests for changes from rejections: both are stored as rejections, but the request's outcome differs. */
function decisionKindOf(
  { status }: Approver,
  outcome: ApprovalOutcome | null,
): "approved" | "rejected" | "changes_requested" {
  if (status === "approved") return "approved";
  return outcome === "changes_requested" ? "changes_requested" : "rejected";
}
