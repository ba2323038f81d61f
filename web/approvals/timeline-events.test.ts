import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anApproval, anApprover } from "../testing/approval-records.ts";
import { elapsedText, isLastApproval, progressText, ruleText, unavailableOf } from "./approval-words.ts";
import { sentenceOf, commentOf } from "./timeline-event-style.ts";
import { timelineEvents, spreadPositions } from "./timeline-events.ts";

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
    const told = timelineEvents(approval).map((one) => [one.kind, "approver" in one ? one.approver.user.name : null]);
    expect(told).toEqual([
      ["requested", null],
      ["replaced", "Ed"],
      ["approved", "Dora"],
      ["waiting", "Cy"],
    ]);
  });

  it("ends with the outcome, then lists who did not answer", () => {
    const approval = anApproval({
      status: "rejected",
      outcome: "changes_requested",
      resolvedAt: at(12),
      approvers: [anApprover({ status: "rejected", respondedAt: at(12) }), anApprover({})],
    });
    expect(timelineEvents(approval).map(({ kind }) => kind)).toEqual([
      "requested",
      "changes_requested",
      "outcome",
      "silent",
    ]);
  });
});

describe("an approver who can't sign in anymore", () => {
  const approvers = [anApprover({ name: "Cy" }), anApprover({ name: "Lea", active: false })];

  it("is shown apart from the awaited approvers while the request waits", () => {
    const kinds = timelineEvents(anApproval({ createdAt: at(8), approvers })).map(({ kind }) => kind);
    expect(kinds).toEqual(["requested", "waiting", "unavailable"]);
    expect(unavailableOf(anApproval({ approvers })).map(({ user }) => user.name)).toEqual(["Lea"]);
    expect(unavailableOf(anApproval({ approvers: approvers.slice(0, 1) }))).toEqual([]);
  });
});

describe("an end without a decision", () => {
  const told = (outcome: "withdrawn" | "voided" | "rejected", endedBy: string | null) =>
    timelineEvents(
      anApproval({
        status: "rejected",
        outcome,
        resolvedAt: at(12),
        endedBy: endedBy === null ? null : { id: "u", name: endedBy, comment: "Too early" },
        approvers: [],
      }),
    );

  it("names who withdrew it, or whose change ended it", () => {
    expect(told("withdrawn", "Ann Archer").map(sentenceOf).at(-1)).toBe("Ann Archer withdrew the request");
    expect(told("voided", "Ann Archer").map(sentenceOf).at(-1)).toBe(
      "Canceled because the SOP was edited by Ann Archer",
    );
    expect(told("withdrawn", "Ann Archer").map(commentOf).at(-1)).toBe("Too early");
  });

  it("names no one when it is older than its record", () => {
    expect(told("withdrawn", null).map(sentenceOf).at(-1)).toBe("Request withdrawn");
    expect(told("voided", null).map(commentOf).at(-1)).toBeNull();
  });
});

describe("placesOf", () => {
  it("keeps the order, the bounds and a distance, however the times lie", () => {
    const ascending = fc.array(fc.integer({ min: 0, max: 1e6 }), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(ascending, fc.constantFrom(0.05, 0.1, 0.2), (unsorted, gap) => {
        const times = unsorted.toSorted((a, b) => a - b);
        const places = spreadPositions(times, 0, 1e6, gap);
        const least = Math.min(gap, 1 / Math.max(1, times.length - 1));
        expect(Math.min(...places)).toBeGreaterThanOrEqual(0);
        expect(Math.max(...places)).toBeLessThanOrEqual(1 + 1e-9);
        for (const [index, place] of places.entries()) {
          if (index > 0) expect(place - (places[index - 1] ?? 0)).toBeGreaterThanOrEqual(least - 1e-9);
        }
      }),
      { numRuns: 300 },
    );
  });

  it("shows time where there is room for it", () => {
    expect(spreadPositions([0, 25, 100], 0, 100, 0.1)).toEqual([0, 0.25, 1]);
    expect(spreadPositions([7, 7, 7], 7, 7, 0.1)).toEqual([0, 0.5, 1]);
  });
});

describe("words", () => {
  const requested = [anApprover({ status: "approved", respondedAt: at(9) }), anApprover({}), anApprover({})];
  it("say the rule and how far it is", () => {
    const rule = (kind: "all" | "any" | "n_of_m", needed: number) =>
      ruleText({ rule: { kind, count: null }, needed, approvers: requested });
    expect([rule("all", 3), rule("any", 1), rule("n_of_m", 2)]).toEqual([
      "All must approve",
      "One approval is enough",
      "2 of 3 must approve",
    ]);
    expect(progressText({ needed: 3, approvers: requested })).toBe("1 of 3 approvals");
    expect(progressText({ needed: 1, approvers: [] })).toBe("0 of 1 approval");
    expect([2, 3].map((needed) => isLastApproval({ needed, approvers: requested }))).toEqual([true, false]);
  });

  it("say how much later", () => {
    expect(elapsedText(at(8), "2026-06-01T08:00:40.000Z")).toBe("less than a minute later");
    expect(elapsedText(at(8), at(9))).toBe("1 hour later");
    expect(elapsedText(at(8), "2026-06-04T09:00:00.000Z")).toBe("3 days later");
  });
});
