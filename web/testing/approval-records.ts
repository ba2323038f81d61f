/** Creates approval requests for tests, as the API returns them. */
import type { Approval, ApproverCandidate, ApproverChoice } from "#core/approvals/schema.ts";

type Approver = Approval["approvers"][number];
let made = 0;

export function anApprover({ name, ...change }: Partial<Approver> & { name?: string }): Approver {
  made += 1;
  const user = { name: name ?? `Approver ${made}`, initials: (name ?? "Ap").slice(0, 2).toUpperCase() };
  return {
    id: `approver-${made}`,
    userId: `user-${made}`,
    user,
    status: "pending",
    comment: null,
    respondedAt: null,
    replacedAt: null,
    active: true,
    ...change,
  };
}

/**
 * Creates a pending request for version 3 with one approver. The signed-in user can't decide, withdraw or change it.
 */
export function anApproval(change: Partial<Approval> = {}): Approval {
  made += 1;
  const sopId = change.sopId ?? `01980000-0000-7000-8000-${String(made).padStart(12, "0")}`;
  return {
    id: `request-${made}`,
    sopId,
    sop: { id: sopId, number: "SOP-0007", title: "Open the kitchen", version: 3, contentHash: "0".repeat(64) },
    version: 3,
    contentHash: "0".repeat(64),
    status: "pending",
    outcome: null,
    requestNote: null,
    requestedBy: { id: "user-ben", name: "Ben Baker" },
    rule: { kind: "all", count: null },
    needed: 1,
    createdAt: "2026-06-01T08:00:00.000Z",
    resolvedAt: null,
    endedBy: null,
    approvers: [anApprover({})],
    mayDecide: false,
    mayWithdraw: false,
    mayReplace: false,
    publishedVersion: null,
    ...change,
  };
}

/** Creates the answer about possible approvers. All chosen approvers must approve. */
export function aChoice(people: readonly ApproverCandidate[], change: Partial<ApproverChoice> = {}): ApproverChoice {
  return { rule: { kind: "all", count: null }, category: null, approversNeeded: 1, people: [...people], ...change };
}
