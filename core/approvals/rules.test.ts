import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Actor, SopFacts } from "../access/actor.ts";
import type { Role } from "../access/roles.ts";
import type { ApprovalRule } from "../companies/settings.ts";
import { AppError } from "../errors.ts";
import {
  approvalsNeeded,
  assertRequestable,
  countedApprovers,
  decide,
  ineligible,
  isMet,
  mayDecide,
  mayReplace,
  mayWithdraw,
  replaceApprover,
  waitingApprovers,
  type ApprovalStatus,
  type Decided,
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
  publishedVersion: null,
  version: 1,
  grants: [],
  approvers: [],
};

describe("how many approvals are needed", () => {
  test.each([
    ["all", null, 3, 3],
    ["any", null, 3, 1],
    ["n_of_m", 2, 3, 2],
    ["n_of_m", 5, 3, 3],
    ["n_of_m", null, 3, 3],
    ["all", null, 0, 0],
    ["any", null, 0, 0],
  ] as const)("%s (%s) of %i: %i", (kind, count, people, needed) => {
    const approvers = Array.from({ length: people }, (_, n) => entry(`${n}`));
    expect(approvalsNeeded({ rule: { kind, count }, approvers })).toBe(needed);
    // who was replaced counts no more
    expect(approvalsNeeded({ rule: { kind, count }, approvers: [...approvers, entry("x", { replacedAt: at })] })).toBe(
      needed,
    );
    expect(isMet({ rule: { kind, count }, approvers })).toBe(false);
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
    const after = decide(before, "a", decision(kind));
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
      const say = (kind: DecisionKind) => () => decide(two(), "a", { ...decision(kind), comment });
      expect(codeOf(say("request_changes"))).toBe("invalid_input");
      expect(say("reject")().outcome).toBe("rejected");
      expect(say("approve")().status).toBe("pending");
    },
  );

  test("that meets the rule approves the request, with those still waiting left as they are", () => {
    const after = decide(request([entry("a"), entry("b")], { kind: "any", count: null }), "b", decision("approve"));
    expect(after).toMatchObject({ status: "approved", outcome: "approved" });
    expect(after.approvers[0]).toEqual(entry("a"));
  });

  test("is taken once, from whom the request waits for, while it is pending", () => {
    const decided = request([entry("a", { status: "approved" }), entry("b"), entry("c", { replacedAt: at })]);
    expect(codeOf(() => decide(decided, "a", decision("reject")))).toBe("conflict");
    expect(codeOf(() => decide(decided, "c", decision("approve")))).toBe("forbidden");
    expect(codeOf(() => decide(decided, "z", decision("approve")))).toBe("forbidden");
    expect(codeOf(() => decide({ ...decided, status: "rejected" }, "b", decision("approve")))).toBe("conflict");
    expect(["a", "b", "c", "z"].filter((userId) => mayDecide({ userId }, decided))).toEqual(["b"]);
    expect(mayDecide({ userId: "b" }, { ...decided, status: "rejected" })).toBe(false);
  });
});

describe("an approver is replaced", () => {
  test("in his place, and stays in the list", () => {
    const after = replaceApprover(request([entry("a"), entry("b")]), "a", entry("c"), at);
    expect(after).toEqual([entry("a", { replacedAt: at }), entry("c"), entry("b")]);
    // and may be asked again
    expect(replaceApprover(request(after), "b", entry("a"), at).map(({ userId }) => userId)).toEqual([
      "a",
      "c",
      "b",
      "a",
    ]);
  });

  test("only while the request waits for him, by somebody new", () => {
    const asked = request([entry("a", { status: "approved" }), entry("b"), entry("c", { replacedAt: at })]);
    const replace = (who: string, by: string) => codeOf(() => replaceApprover(asked, who, entry(by), at));
    expect(replace("b", "d")).toBe("done");
    expect(replace("b", "c")).toBe("done");
    expect([replace("a", "d"), replace("c", "d"), replace("z", "d")]).toEqual(Array(3).fill("invalid_input"));
    expect([replace("b", "a"), replace("b", "b")]).toEqual(Array(2).fill("invalid_input"));
    expect(codeOf(() => replaceApprover({ ...asked, status: "rejected" }, "b", entry("d"), at))).toBe("conflict");
  });
});

describe("whom a request may name", () => {
  const involved = { requestedBy: "author", writers: new Set(["author", "writer"]), allowSelfApproval: false };
  const judge = (userId: string, change: Partial<Actor> = {}, isActive = true, own = false) =>
    ineligible({ actor: actor("viewer", { userId, ...change }), isActive }, { ...involved, allowSelfApproval: own });

  test("is everybody active who wrote nothing of it and may see it", () => {
    expect(judge("reader")).toBeNull();
    expect(judge("author")).toBe("requester");
    expect(judge("writer")).toBe("writer");
    expect(judge("reader", {}, false)).toBe("inactive");
    expect(judge("reader", { deny: ["sop.read_head"] })).toBe("denied");
    expect(judge("reader", { deny: ["sop.comment"] })).toBeNull();
  });

  test("is also the author where the company allows it, and then still active and allowed to see", () => {
    expect([judge("author", {}, true, true), judge("writer", {}, true, true)]).toEqual([null, null]);
    expect(judge("author", {}, false, true)).toBe("inactive");
    expect(judge("author", { deny: ["sop.read_head"] }, true, true)).toBe("denied");
  });
});

test.each([
  ["draft", null, "done"],
  ["draft", "r", "conflict"],
  ["under_review", null, "conflict"],
  ["published", null, "conflict"],
  ["archived", null, "conflict"],
] as const)("approval of what is %s (request %s) can be asked for: %s", (status, requestId, code) => {
  expect(
    codeOf(() => assertRequestable({ status, requestId, version: 1, publishedVersion: null, deletedAt: null })),
  ).toBe(code);
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
    expect(allowed(mayReplace)).toEqual(["company_admin", "manager"]);
    expect(allowed(mayReplace, { userId: "author" })).toEqual(["company_admin", "manager", "editor", "contributor"]);
    expect(allowed(mayReplace, { userId: "author", deny: ["sop.request_approval"] })).toEqual([]);
    expect(mayReplace(actor("manager"), { ...pending, status: "rejected" }, sop)).toBe(false);
  });
});

test("whatever is decided and whoever replaced, a request ends once and by its rule", () => {
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
      let state = request(
        people.slice(0, asked).map((userId) => entry(userId)),
        rules,
      );
      let ended = 0;
      for (const step of actions) {
        const before = structuredClone(state);
        let after: Decided<Entry> | null = null;
        try {
          after =
            step.kind === "replace"
              ? { approvers: replaceApprover(state, step.who, entry(step.by), at), status: "pending", outcome: null }
              : decide(state, step.who, decision(step.kind));
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
          // a refusal is for a reason: resolved, not asked, decided before, or asked already
          const waits = mayDecide({ userId: step.who }, state);
          const known = countedApprovers(state).map(({ userId }) => userId);
          expect(waits && !(step.kind === "replace" && known.includes(step.by))).toBe(false);
        }
        expect(state).toEqual(before);
        if (!after) continue;
        // what was decided before stands for ever
        for (const old of before.approvers.filter(({ status }) => status !== "pending"))
          expect(after.approvers).toContainEqual(old);
        if (after.status !== "pending") ended++;
        state = { ...state, approvers: after.approvers, status: after.status };
        const [counted, needed] = [countedApprovers(state), approvalsNeeded(state)];
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
