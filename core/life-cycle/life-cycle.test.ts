/** Each verb as data: what it refuses, the state it leaves, and that it changes nothing it was given. */
import { describe, expect, test } from "vitest";
import { AppError } from "../errors.ts";
import { resolveActor } from "../permissions/resolve.ts";
import { defaultSettings } from "../companies/settings.ts";
import type { DocumentControl } from "../sops/rules.ts";
import { archiveStep, deleteStep, unarchiveStep, undeleteStep } from "./archive.ts";
import { planDecision, planPublicationAfterApproval, type DecisionFacts } from "./decide.ts";
import {
  assertCanPublishDirectly,
  isScheduledVersionDue,
  planScheduledDay,
  planPublish,
  publishStep,
  unpublishStep,
} from "./publish.ts";
import type { StoredApprover, StoredRequest, StoredSop } from "./records.ts";
import {
  assertCanRequestApproval,
  matchesRequestState,
  planApproverReplacement,
  planApprovalRequest,
} from "./request.ts";
import { planReviewOutcome } from "./review.ts";
import { assertVersionCanBeRestored, createStep, saveStep, type VersionToStore } from "./save.ts";
import type { LifeCycleStep } from "./step.ts";
import { planUpdate, type UpdateFacts } from "./update.ts";
import { planRequestWithdrawal } from "./withdraw.ts";

const at = "2026-06-01T08:00:00.000Z";
const later = "2026-07-01";
const by = { _id: "author", name: "Ana", username: "ana", initials: "A" };

function frozen<T>(value: T): T {
  if (typeof value === "object" && value !== null) for (const part of Object.values(value)) frozen(part);
  return Object.freeze(value);
}

function made(version: number, title = `Title ${version}`): VersionToStore {
  return frozen({
    version: {
      _id: `v${version}`,
      companyId: "company",
      sopId: "sop",
      version,
      title,
      description: "D",
      markdown: "Text\n",
      frontMatter: { title, description: "D" },
      assets: [],
      assetPlaces: [],
      contentHash: `hash ${version}`,
      textMarks: [],
      changedBy: by._id,
      changedByName: by.name,
      changeNote: null,
      changeClass: "major",
      restores: null,
      repoSeq: 0,
      createdAt: at,
    },
    relations: { ownerId: by._id, teamId: null },
    assets: [],
    linksTo: [],
  });
}

const approver = (userId: string): StoredApprover => ({
  id: `entry ${userId}`,
  userId,
  name: userId,
  username: userId,
  initials: "U",
  status: "pending",
  comment: null,
  respondedAt: null,
  contentHash: null,
  replacedAt: null,
  isOwnWork: false,
});

const identity = { id: "sop", companyId: "company", number: 1, label: "SOP-0001", slug: "title", categoryId: null };
const publication = { at, note: null, reviewMonths: 12 };
const actor = resolveActor(
  { userId: "author", companyId: "company", role: "company_admin", teamIds: [], permissions: [] },
  defaultSettings,
  at,
);
const ask = (sop: StoredSop, users = ["one", "two"]) => {
  const rule = { kind: "all" as const, count: null };
  return planApprovalRequest(sop, {}, { id: "request", by, at, rule, approvers: users.map(approver) });
};

const draft = frozen(createStep(identity, made(1)).sop);
const published = frozen(publishStep(draft, publication).sop);
const scheduled = frozen(publishStep(draft, { ...publication, effective: later }).sop);
const reworked = frozen(saveStep(published, made(2)).sop);
const asked = frozen(ask(draft));
const underReview = asked.steps[0].sop;
const request = asked.request;
const archived = frozen(archiveStep(published, at, null).sop);
const states = { draft, published, scheduled, reworked, "under review": underReview, archived };

/** The states in which a verb is refused as a conflict. Any other error fails. */
function refusedIn(act: (sop: StoredSop) => unknown): string[] {
  return Object.entries(states).flatMap(([name, sop]) => {
    try {
      act(sop);
      return [];
    } catch (error) {
      if (error instanceof AppError && error.code === "conflict") return [name];
      throw error;
    }
  });
}

test("the verbs refuse what the status table does not hold", () => {
  const direct = (control: DocumentControl) => (sop: StoredSop) => assertCanPublishDirectly(sop, control);
  expect(refusedIn(direct("flexible"))).toEqual(["published", "scheduled", "under review", "archived"]);
  expect(refusedIn(direct("strict"))).toEqual(Object.keys(states));
  expect(refusedIn((sop) => assertCanPublishDirectly(sop, "flexible", true))).toEqual([
    "published",
    "under review",
    "archived",
  ]);
  expect(refusedIn((sop) => unpublishStep(sop, at, null))).toEqual(["draft", "under review", "archived"]);
  expect(refusedIn((sop) => archiveStep(sop, at, null))).toEqual(["archived"]);
  expect(refusedIn((sop) => unarchiveStep(sop, at, null))).toEqual(Object.keys(states).slice(0, -1));
  expect(refusedIn(assertCanRequestApproval)).toEqual(["published", "scheduled", "under review", "archived"]);
  expect(refusedIn((sop) => assertVersionCanBeRestored(sop, 1))).toEqual(
    Object.keys(states).filter((name) => name !== "reworked"),
  );
  const named = { category: "Labs" };
  expect(() => assertCanPublishDirectly(draft, named)).toThrow(
    "SOPs of the category Labs are published through approval only: use Submit for Approval",
  );
});

describe("a step", () => {
  const decision: DecisionFacts = {
    kind: "approve",
    comment: null,
    at,
    actor,
    by: { ...by, _id: "one" },
    rule: request.rule,
    allowSelfApproval: false,
  };
  const first = planDecision(underReview, request, decision);
  const last = planDecision(first.steps[0].sop, first.request, { ...decision, by: { ...by, _id: "two" } });
  const steps: Record<string, () => LifeCycleStep[]> = {
    create: () => [createStep(identity, made(1))],
    save: () => [saveStep(underReview, made(2))],
    publish: () => [planPublish(draft, {}, { inText: undefined, ...publication })],
    schedule: () => [planPublish(draft, { effectiveAt: later }, { inText: undefined, ...publication })],
    "publish on the day": () => [planScheduledDay(scheduled, true, `${later}T00:00:00.000Z`)],
    lapse: () => [planScheduledDay(scheduled, false, `${later}T00:00:00.000Z`)],
    unpublish: () => [unpublishStep(published, at, null)],
    archive: () => [archiveStep(published, at, null)],
    unarchive: () => [unarchiveStep(archived, at, null)],
    delete: () => [deleteStep(underReview, at)],
    undelete: () => [undeleteStep(deleteStep(published, at).sop, at)],
    request: () => ask(draft).steps,
    "replace an approver": () =>
      planApproverReplacement(underReview, request, { from: "one", to: approver("new"), at }).steps,
    approve: () => first.steps,
    "approve and publish": () => planPublicationAfterApproval(last, { inText: undefined, at, reviewMonths: 12 }).steps,
    reject: () => planDecision(underReview, request, { ...decision, kind: "reject" }).steps,
    withdraw: () => planRequestWithdrawal(underReview, request, { actor, by, at, comment: "No" }).steps,
    keep: () => planReviewOutcome(published, { verdict: "keep" }, { id: "review", by, at, reviewMonths: 12 }),
    "archive by a review": () =>
      planReviewOutcome(published, { verdict: "archive" }, { id: "review", by, at, reviewMonths: 12 }),
  };

  test.each(Object.entries(steps))("of %s is data: it can be stored and read again", (_, plan) => {
    const planned = plan();
    expect(planned.length).toBeGreaterThan(0);
    expect(structuredClone(planned)).toEqual(planned);
  });

  test("leaves the state of its verb", () => {
    const left = Object.entries(steps).map(([name, plan]) => {
      const planned = plan();
      const { status, version, published: shown, requestId } = planned.at(-1)?.sop ?? draft;
      const effects = planned.flatMap(({ effects: some = [] }) => some.map(({ kind }) => kind));
      const state = `${status} v${version}, readers ${shown ? `v${shown.version}` : "none"}`;
      return [name, state, requestId ?? "no request", effects.join(" ")].join(" | ");
    });
    expect(left).toEqual([
      "create | draft v1, readers none | no request | ",
      "save | draft v2, readers none | no request | ",
      "publish | published v1, readers v1 | no request | ",
      "schedule | published v1, readers none | no request | ",
      "publish on the day | published v1, readers v1 | no request | ",
      "lapse | draft v1, readers none | no request | ",
      "unpublish | draft v1, readers none | no request | ",
      "archive | archived v1, readers none | no request | ",
      "unarchive | draft v1, readers none | no request | ",
      "delete | draft v1, readers none | no request | ",
      "undelete | published v1, readers v1 | no request | ",
      "request | under_review v1, readers none | request | can_approve add_request",
      "replace an approver | under_review v1, readers none | request | can_approve change_request",
      "approve | under_review v1, readers none | request | can_decide change_request",
      "approve and publish | published v1, readers v1 | no request | can_decide change_request",
      "reject | draft v1, readers none | no request | can_decide change_request",
      "withdraw | draft v1, readers none | no request | change_request",
      "keep | published v1, readers v1 | no request | add_review",
      "archive by a review | archived v1, readers none | no request | add_review",
    ]);
  });

  test("on a request leaves the SOP and the request in the same state", () => {
    const replaced = planApproverReplacement(underReview, request, { from: "one", to: approver("new"), at });
    for (const {
      steps: [step],
      request: after,
    } of [asked, first, replaced])
      expect(matchesRequestState(step.sop, after)).toBe(true);
    expect(matchesRequestState(first.steps[0].sop, request)).toBe(false);
    expect(matchesRequestState(replaced.steps[0].sop, request)).toBe(false);
    expect(last.request).toMatchObject({ status: "approved", outcome: "approved", waitingFor: [], resolvedAt: at });
    expect(matchesRequestState(last.steps[0].sop, last.request)).toBe(true);
  });

  test("of a decision refuses a request about another text", () => {
    const other: StoredRequest = { ...request, contentHash: "another hash" };
    expect(() => planDecision(underReview, other, decision)).toThrow("The SOP changed after this request");
    const own = { ...request, approvers: request.approvers.map((one) => ({ ...one, isOwnWork: true })) };
    expect(() => planDecision(underReview, own, decision)).toThrow(/own work/);
    expect(planDecision(underReview, own, { ...decision, allowSelfApproval: true }).steps[0].changes).toMatchObject({
      selfApproval: true,
    });
  });
});

test("a scheduled version is due on its day, unless its SOP is deleted", () => {
  const day = `${later}T00:00:00.000Z`;
  expect([
    isScheduledVersionDue(scheduled, at),
    isScheduledVersionDue(scheduled, day),
    isScheduledVersionDue(published, day),
  ]).toEqual([false, true, false]);
  expect(isScheduledVersionDue(deleteStep(scheduled, at).sop, day)).toBe(false);
});

describe("a save", () => {
  const facts: UpdateFacts = {
    latest: published,
    asked: {},
    may: { publish: true, archive: true },
    control: { from: "flexible", to: "flexible" },
    readersFollow: true,
    number: null,
    hasOtherText: false,
    made: made(2),
    at,
    reviewMonths: null,
  };
  const verbs = (change: Partial<UpdateFacts>) => {
    const { steps, publishes, ignored } = planUpdate(frozen({ ...facts, ...change }));
    const last = steps.at(-1)?.sop;
    const state = last ? `${last.status} v${last.version} in ${last.categoryId}` : "unchanged";
    return [steps.map(({ verb }) => verb).join("+"), state, publishes ? "checked" : "", ...ignored].join(" ").trim();
  };

  test("is the steps that its text, category and status mean", () => {
    expect(verbs({})).toBe("unchanged");
    expect(verbs({ asked: { changeNote: "Why" } })).toBe("unchanged  changeNote");
    expect(verbs({ hasOtherText: true })).toBe("save draft v2 in null");
    expect(verbs({ hasOtherText: true, asked: { status: "published" } })).toBe(
      "save+publish published v2 in null checked",
    );
    expect(verbs({ asked: { categoryId: "labs" } })).toBe("move published v1 in labs");
    expect(verbs({ asked: { categoryId: "labs" }, readersFollow: false })).toBe("move+save draft v2 in labs");
    expect(verbs({ latest: archived, asked: { status: "draft" } })).toBe("unarchive draft v1 in null");
    expect(verbs({ latest: draft, asked: { status: "archived" } })).toBe("archive archived v1 in null");
  });

  test("that a move alone makes is a minor change, with another number a major one", () => {
    const classOf = (change: Partial<UpdateFacts>) =>
      planUpdate({ ...facts, ...change }).steps.flatMap(({ version }) => version?.changeClass ?? []);
    expect(classOf({ asked: { categoryId: "labs" }, readersFollow: false })).toEqual(["minor"]);
    const number = { label: "LAB-0001", labelKey: "lab-1" };
    const [step] = planUpdate({ ...facts, latest: draft, number }).steps;
    expect(step).toMatchObject({
      verb: "save",
      sop: number,
      version: { changeClass: "major" },
      changes: { number: { from: "SOP-0001", to: "LAB-0001" } },
    });
  });

  test("obeys the category that the SOP leaves and the one where it goes", () => {
    const strict = { category: "Labs" };
    const change = { latest: draft, asked: { status: "published" as const, categoryId: "labs" } };
    for (const control of [
      { from: strict, to: "flexible" as const },
      { from: "flexible" as const, to: strict },
    ])
      expect(() => verbs({ ...change, control })).toThrow(/through approval only/);
    expect(verbs(change)).toBe("move+publish published v1 in labs checked");
  });
});
