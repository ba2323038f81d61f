import { describe, expect, it } from "vitest";
import { anApproval, anApprover } from "../testing/approval-records.ts";
import {
  isNextApprovalLast,
  approvalProgressText,
  approvalRuleText,
  unavailableApproversOf,
} from "./approval-words.ts";
import { timelineEventText, timelineEventComment } from "./timeline-event-style.ts";
import { timelineEventsOf } from "./timeline-events.ts";

const at = (hour: number) => `2026-06-01T${String(hour).padStart(2, "0")}:00:00.000Z`;

describe("momentsOf", () => {
  it("tells a request from being asked to whom it waits for", () => {
    const approval = anApproval({
      createdAt: at(8),
      approvers: [
        anApprover({ name: "Cy" }),
        anApprover({ name: "Dora", status: "approved", respondedAt: at(10) }),
        anApprover({ name: "Ed", replacedAt: at(9) }),
      ],
    });
    const told = timelineEventsOf(approval).map((one) => [one.kind, "approver" in one ? one.approver.user.name : null]);
    expect(told).toEqual([
      ["requested", null],
      ["replaced", "Ed"],
      ["approved", "Dora"],
      ["waiting", "Cy"],
    ]);
  });

  it("ends with the decision that ended it, then lists who did not answer", () => {
    const approval = anApproval({
      status: "rejected",
      outcome: "changes_requested",
      resolvedAt: at(12),
      approvers: [anApprover({ status: "rejected", respondedAt: at(12) }), anApprover({})],
    });
    expect(timelineEventsOf(approval).map(({ kind }) => kind)).toEqual(["requested", "changes_requested", "silent"]);
  });
});

describe("an approver who can't sign in anymore", () => {
  const approvers = [anApprover({ name: "Cy" }), anApprover({ name: "Lea", active: false })];

  it("is shown apart from the awaited approvers while the request waits", () => {
    const kinds = timelineEventsOf(anApproval({ createdAt: at(8), approvers })).map(({ kind }) => kind);
    expect(kinds).toEqual(["requested", "waiting", "unavailable"]);
    expect(unavailableApproversOf(anApproval({ approvers })).map(({ user }) => user.name)).toEqual(["Lea"]);
    expect(unavailableApproversOf(anApproval({ approvers: approvers.slice(0, 1) }))).toEqual([]);
  });
});

describe("an end without a decision", () => {
  const told = (outcome: "withdrawn" | "voided" | "rejected", endedBy: string | null) =>
    timelineEventsOf(
      anApproval({
        status: "rejected",
        outcome,
        resolvedAt: at(12),
        endedBy: endedBy === null ? null : { id: "u", name: endedBy, comment: "Too early" },
        approvers: [],
      }),
    );

  it("names who withdrew it, or whose change ended it", () => {
    expect(told("withdrawn", "Ann Archer").map(timelineEventText).at(-1)).toBe("Ann Archer withdrew the request");
    expect(told("voided", "Ann Archer").map(timelineEventText).at(-1)).toBe(
      "Canceled because the SOP was edited by Ann Archer",
    );
    expect(told("withdrawn", "Ann Archer").map(timelineEventComment).at(-1)).toBe("Too early");
  });

  it("names no one when it is older than its record", () => {
    expect(told("withdrawn", null).map(timelineEventText).at(-1)).toBe("Request withdrawn");
    expect(told("voided", null).map(timelineEventComment).at(-1)).toBeNull();
  });
});

describe("words", () => {
  const requested = [anApprover({ status: "approved", respondedAt: at(9) }), anApprover({}), anApprover({})];
  it("say the rule and how far it is", () => {
    const rule = (kind: "all" | "any" | "n_of_m", needed: number) =>
      approvalRuleText({ rule: { kind, count: null }, needed, approvers: requested });
    expect([rule("all", 3), rule("any", 1), rule("n_of_m", 2)]).toEqual([
      "All must approve",
      "One approval is enough",
      "2 of 3 must approve",
    ]);
    const two = requested.slice(1);
    expect(approvalRuleText({ rule: { kind: "all", count: null }, needed: 2, approvers: two })).toBe(
      "Both must approve",
    );
    expect(approvalRuleText({ rule: { kind: "all", count: null }, needed: 1, approvers: two.slice(1) })).toBe(
      "One approval is needed",
    );
    expect(approvalProgressText({ needed: 3, approvers: requested })).toBe("1 of 3 approved");
    expect(approvalProgressText({ needed: 1, approvers: [] })).toBe("0 of 1 approved");
    expect([2, 3].map((needed) => isNextApprovalLast({ needed, approvers: requested }))).toEqual([true, false]);
  });
});
