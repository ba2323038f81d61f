import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Actor, SopFacts } from "../permissions/actor.ts";
import { roles, type Role } from "../permissions/roles.ts";
import type { ApprovalRule } from "../companies/settings.ts";
import { AppError } from "../errors.ts";
import {
  neededApprovalCount,
  currentApprovers,
  requestAfterDecision,
  ineligibleReason,
  isRuleMet,
  minimumApproverCount,
  assertEnoughApprovers,
  isAwaitedApprover,
  mayDecide,
  mayReplaceApprover,
  mayWithdraw,
  approversAfterReplacement,
  stricterRule,
  approverShortageText,
  reasonUserCannotDecide,
  waitingApprovers,
  type ApprovalStatus,
  type DecidedRequest,
  type DecisionKind,
} from "./rules.ts";

const at = "2026-06-01T08:00:00.000Z";
const contentHash = "a".repeat(64);

interface Entry {
  userId: string;
  status: ApprovalStatus;
  comment: string | null;
  respondedAt: string | null;
  contentHash: string | null;
  replacedAt: string | null;
}

const entry = (userId: string, change: Partial<Entry> = {}): Entry => ({
  userId,
  status: "pending",
  comment: null,
  respondedAt: null,
  contentHash: null,
  replacedAt: null,
  ...change,
});
const request = (approvers: Entry[], rule: ApprovalRule = { kind: "all", count: null }) => ({
  status: "pending" as ApprovalStatus,
  requestedBy: "author",
  rule,
  approvers,
});
const decision = (kind: DecisionKind) => ({ kind, comment: "Because", at, contentHash });
const codeOf = (act: () => unknown) => {
  try {
    act();
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
  return "done";
};

const actor = (role: Role, change: Partial<Actor> = {}): Actor => ({
  userId: "somebody",
  companyId: "c",
  role,
  teamIds: [],
  allow: [],
  deny: [],
  ...change,
});
const sop: SopFacts = {
  companyId: "c",
  authorId: "author",
  ownerId: "author",
  teamId: null,
  status: "under_review",
  restricted: false,
  deletedAt: null,
  published: null,
  version: 1,
  grants: [],
  approvers: [],
};

describe("how many approvals are needed", () => {
  test.each([
    ["all", null, 3, 3],
    ["any", null, 3, 1],
    ["n_of_m", 2, 3, 2],
    ["n_of_m", 5, 3, 5],
    ["n_of_m", null, 3, 3],
    ["all", null, 0, 0],
    ["any", null, 0, 1],
  ] as const)("%s (%s) of %i: %i", (kind, count, people, needed) => {
    const approvers = Array.from({ length: people }, (_, n) => entry(`${n}`));
    expect(neededApprovalCount({ rule: { kind, count }, approvers })).toBe(needed);
    // a replaced approver no longer counts
    expect(
      neededApprovalCount({ rule: { kind, count }, approvers: [...approvers, entry("x", { replacedAt: at })] }),
    ).toBe(needed);
    expect(isRuleMet({ rule: { kind, count }, approvers })).toBe(false);
  });
});

describe("a decision", () => {
  const two = () => request([entry("a"), entry("b")]);

  test.each([
    ["approve", "approved", "pending", null],
    ["reject", "rejected", "rejected", "rejected"],
    ["request_changes", "rejected", "rejected", "changes_requested"],
  ] as const)("to %s leaves %s, and the request %s", (kind, own, status, outcome) => {
    const before = two();
    const after = requestAfterDecision(before, "a", decision(kind));
    expect(after).toEqual({
      approvers: [entry("a", { status: own, comment: "Because", respondedAt: at, contentHash }), entry("b")],
      status,
      outcome,
    });
    expect(before).toEqual(two());
  });

  test.each([null, "", " \n "])(
    "to ask for changes needs words: %j says nothing, and is enough for the others",
    (comment) => {
      const say = (kind: DecisionKind) => () => requestAfterDecision(two(), "a", { ...decision(kind), comment });
      expect(codeOf(say("request_changes"))).toBe("invalid_input");
      expect(say("reject")().outcome).toBe("rejected");
      expect(say("approve")().status).toBe("pending");
    },
  );

  test("that meets the rule approves the request, with those still waiting left as they are", () => {
    const after = requestAfterDecision(
      request([entry("a"), entry("b")], { kind: "any", count: null }),
      "b",
      decision("approve"),
    );
    expect(after).toMatchObject({ status: "approved", outcome: "approved" });
    expect(after.approvers[0]).toEqual(entry("a"));
  });

  test("is taken once, from whom the request waits for, while it is pending", () => {
    const decided = request([entry("a", { status: "approved" }), entry("b"), entry("c", { replacedAt: at })]);
    expect(codeOf(() => requestAfterDecision(decided, "a", decision("reject")))).toBe("conflict");
    expect(codeOf(() => requestAfterDecision(decided, "c", decision("approve")))).toBe("forbidden");
    expect(codeOf(() => requestAfterDecision(decided, "z", decision("approve")))).toBe("forbidden");
    expect(codeOf(() => requestAfterDecision({ ...decided, status: "rejected" }, "b", decision("approve")))).toBe(
      "conflict",
    );
    expect(["a", "b", "c", "z"].filter((userId) => isAwaitedApprover({ userId }, decided))).toEqual(["b"]);
    expect(isAwaitedApprover({ userId: "b" }, { ...decided, status: "rejected" })).toBe(false);
  });
});

describe("an approver is replaced", () => {
  test("in place of the approver, who stays in the list", () => {
    const after = approversAfterReplacement(request([entry("a"), entry("b")]), "a", entry("c"), at);
    expect(after).toEqual([entry("a", { replacedAt: at }), entry("c"), entry("b")]);
    // and can be requested again
    expect(approversAfterReplacement(request(after), "b", entry("a"), at).map(({ userId }) => userId)).toEqual([
      "a",
      "c",
      "b",
      "a",
    ]);
  });

  test("only while the request waits for the approver, and by a new person", () => {
    const asked = request([entry("a", { status: "approved" }), entry("b"), entry("c", { replacedAt: at })]);
    const replace = (who: string, by: string) => codeOf(() => approversAfterReplacement(asked, who, entry(by), at));
    expect(replace("b", "d")).toBe("done");
    expect(replace("b", "c")).toBe("done");
    expect([replace("a", "d"), replace("c", "d"), replace("z", "d")]).toEqual(Array(3).fill("invalid_input"));
    expect([replace("b", "a"), replace("b", "b")]).toEqual(Array(2).fill("invalid_input"));
    expect(codeOf(() => approversAfterReplacement({ ...asked, status: "rejected" }, "b", entry("d"), at))).toBe(
      "conflict",
    );
  });
});

describe("a request can name", () => {
  const involved = { requestedBy: "author", writers: new Set(["author", "writer"]), allowSelfApproval: false };
  const judge = (userId: string, change: Partial<Actor> = {}, isActive = true, own = false) =>
    ineligibleReason(
      { actor: actor("reviewer", { userId, ...change }), isActive },
      { ...involved, allowSelfApproval: own },
      sop,
    );

  test("active users who hold the permission to approve and wrote nothing of it", () => {
    expect(judge("other")).toBeNull();
    expect(judge("author")).toBe("requester");
    expect(judge("writer")).toBe("writer");
    expect(judge("other", {}, false)).toBe("inactive");
    expect(judge("other", { deny: ["sop.read_head"] })).toBe("denied");
    expect(judge("other", { deny: ["sop.comment"] })).toBeNull();
    expect(judge("other", { deny: ["sop.decide"] })).toBe("no_right");
  });

  test("reviewers and above; others when the company or a grant on the SOP gives them the permission", () => {
    const able = (change: Partial<Actor>, facts = sop) =>
      roles.filter((role) => reasonUserCannotDecide({ actor: actor(role, change), isActive: true }, facts) === null);
    expect(able({})).toEqual(["system_admin", "company_admin", "admin", "manager", "editor", "reviewer"]);
    expect(able({ allow: ["sop.decide"] })).toEqual(roles);
    const grants = [{ userId: "somebody", teamId: null, permission: "approve" as const }];
    expect(able({}, { ...sop, grants })).toEqual(roles);
    expect(able({ deny: ["sop.decide"] }, { ...sop, grants })).toEqual([]);
    // a request opens a restricted SOP for its approvers
    expect(able({}, { ...sop, restricted: true })).toEqual(able({}));
    expect(able({ userId: "owner" }, { ...sop, ownerId: "owner" })).not.toContain("contributor");
  });

  test("the author where the company allows it, with the permission all the same", () => {
    expect([judge("author", {}, true, true), judge("writer", {}, true, true)]).toEqual([null, null]);
    expect(judge("author", {}, false, true)).toBe("inactive");
    expect(judge("author", { role: "contributor" }, true, true)).toBe("no_right");
    expect(judge("author", { deny: ["sop.read_head"] }, true, true)).toBe("denied");
  });

  test("no fewer people than its rule asks for, and says how many are missing", () => {
    const rule = (count: number): ApprovalRule => ({ kind: "n_of_m", count });
    expect([rule(2), rule(1), { kind: "all", count: null } as const].map(minimumApproverCount)).toEqual([2, 1, 1]);
    const company = { rule: rule(3), category: null };
    expect(approverShortageText(company, 3, 3)).toBeNull();
    expect(approverShortageText(company, 2, 9)?.text).toBe("The rule needs 3 approvers. Name 1 more.");
    expect(approverShortageText(company, 1, 2)?.text).toBe(
      "The rule needs 3 approvers, but only 2 people can approve this SOP. A company admin can change the rule.",
    );
    expect(approverShortageText({ ...company, category: "Safety" }, 1, 1)?.text).toMatch(
      /only 1 person .*\. A manager can change the rule of Safety\.$/,
    );
    expect(approverShortageText(company, 0, 0)?.text).toBe(
      "No one else can approve this SOP. A company admin can let more people approve.",
    );
  });
});

test("a user who lost the permission can't decide, though the request still names the user", () => {
  const asked = { ...sop, approvers: ["somebody"] };
  const waiting = request([entry("somebody")]);
  expect(mayDecide(actor("reviewer"), waiting, asked)).toBe(true);
  expect(mayDecide(actor("viewer"), waiting, asked)).toBe(false);
  expect(mayDecide(actor("reviewer", { deny: ["sop.decide"] }), waiting, asked)).toBe(false);
  expect(mayDecide(actor("reviewer", { userId: "other" }), waiting, asked)).toBe(false);
});

test("of two rules the one that asks these approvers for more holds", () => {
  const approvers = [entry("a"), entry("b"), entry("c")];
  const all: ApprovalRule = { kind: "all", count: null };
  const any: ApprovalRule = { kind: "any", count: null };
  const two: ApprovalRule = { kind: "n_of_m", count: 2 };
  expect(stricterRule(any, two, approvers)).toEqual(two);
  expect(stricterRule(all, two, approvers)).toEqual(all);
  expect(stricterRule(two, any, approvers)).toEqual(two);
  expect(codeOf(() => assertEnoughApprovers({ rule: { kind: "n_of_m", count: 4 }, approvers }))).toBe("conflict");
  expect(codeOf(() => assertEnoughApprovers({ rule: all, approvers }))).toBe("done");
});

describe("who else may do what", () => {
  const pending = request([entry("a")]);
  const roles: Role[] = ["company_admin", "manager", "editor", "reviewer", "contributor", "viewer"];
  const allowed = (may: typeof mayWithdraw, change: Partial<Actor> = {}) =>
    roles.filter((role) => may(actor(role, change), pending, sop));

  test("withdraw: who asked, and who may publish", () => {
    expect(allowed(mayWithdraw)).toEqual(["company_admin", "manager"]);
    expect(allowed(mayWithdraw, { userId: "author" })).toEqual(roles);
    expect(allowed(mayWithdraw, { userId: "author", deny: ["sop.read_head"] })).toEqual([]);
    expect(mayWithdraw(actor("manager"), { ...pending, status: "approved" }, sop)).toBe(false);
  });

  test("replace: who asked and may still ask, and who may publish", () => {
    expect(allowed(mayReplaceApprover)).toEqual(["company_admin", "manager"]);
    expect(allowed(mayReplaceApprover, { userId: "author" })).toEqual([
      "company_admin",
      "manager",
      "editor",
      "contributor",
    ]);
    expect(allowed(mayReplaceApprover, { userId: "author", deny: ["sop.request_approval"] })).toEqual([]);
    expect(mayReplaceApprover(actor("manager"), { ...pending, status: "rejected" }, sop)).toBe(false);
  });
});

test("ends a request once and by its rule, after any decisions and replacements", () => {
  const people = ["a", "b", "c", "d", "e"];
  const person = fc.constantFrom(...people);
  const action = fc.oneof(
    { weight: 4, arbitrary: fc.record({ kind: fc.constant("approve" as const), who: person }) },
    fc.record({ kind: fc.constantFrom("reject" as const, "request_changes" as const), who: person }),
    fc.record({ kind: fc.constant("replace" as const), who: person, by: person }),
  );
  const rule = fc.oneof(
    fc.constantFrom<ApprovalRule>({ kind: "all", count: null }, { kind: "any", count: null }),
    fc.integer({ min: 1, max: 4 }).map((count): ApprovalRule => ({ kind: "n_of_m", count })),
  );
  fc.assert(
    fc.property(rule, fc.integer({ min: 1, max: 4 }), fc.array(action, { maxLength: 25 }), (rules, asked, actions) => {
      fc.pre(asked >= minimumApproverCount(rules));
      let state = request(
        people.slice(0, asked).map((userId) => entry(userId)),
        rules,
      );
      let ended = 0;
      for (const step of actions) {
        const before = structuredClone(state);
        let after: DecidedRequest<Entry> | null = null;
        try {
          after =
            step.kind === "replace"
              ? {
                  approvers: approversAfterReplacement(state, step.who, entry(step.by), at),
                  status: "pending",
                  outcome: null,
                }
              : requestAfterDecision(state, step.who, decision(step.kind));
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
          // a refusal has a reason: resolved, not an approver, already answered, or already an approver
          const waits = isAwaitedApprover({ userId: step.who }, state);
          const known = currentApprovers(state).map(({ userId }) => userId);
          expect(waits && !(step.kind === "replace" && known.includes(step.by))).toBe(false);
        }
        expect(state).toEqual(before);
        if (!after) continue;
        // earlier answers never change
        for (const old of before.approvers.filter(({ status }) => status !== "pending"))
          expect(after.approvers).toContainEqual(old);
        if (after.status !== "pending") ended++;
        state = { ...state, approvers: after.approvers, status: after.status };
        const [counted, needed] = [currentApprovers(state), neededApprovalCount(state)];
        const approved = counted.filter(({ status }) => status === "approved").length;
        const rejected = counted.some(({ status }) => status === "rejected");
        expect(state.status).toBe(rejected ? "rejected" : approved >= needed ? "approved" : "pending");
        if (state.status === "pending")
          expect(waitingApprovers(state).length).toBeGreaterThanOrEqual(needed - approved);
        expect(counted.length).toBe(asked);
      }
      expect(ended).toBeLessThanOrEqual(1);
    }),
    { numRuns: 300 },
  );
});
