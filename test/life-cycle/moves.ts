/** Random moves of a company's people with an SOP, fitted to the state and sent over the API. */
import { newId } from "#core/ids.ts";
import fc from "fast-check";
import { grantLevels } from "#core/permissions/actor.ts";
import { ApiError } from "#core/api/client.ts";
import { dayAfterDays } from "#core/periodic-review/rules.ts";
import type { SopDocument } from "../../server/database/documents.ts";
import { counted, latestOf, openRequest, type SopState } from "./life.ts";
import { isBarred, type Answer, type Change, type Move } from "./model.ts";
import { companyRuleSets, type Player, type Stage } from "./stage.ts";

const statuses = ["draft", "under_review", "published", "archived"] as const;

/** A save. People are given by position, dates as days from today. */
interface Wish extends Pick<Change, "status" | "category" | "inTeam"> {
  text?: number;
  days?: number | null;
  owner?: number | null;
}
const aText = fc.nat({ max: 3 });
const aPerson = fc.nat({ max: 7 });
const aStatus = fc.constantFrom(...statuses);
const aCategory = fc.constantFrom("plain", "approving", null);
const someDays = fc.constantFrom(null, 0, 1, 1, 2);
const wishes: readonly { weight: number; arbitrary: fc.Arbitrary<Wish> }[] = [
  { weight: 6, arbitrary: fc.record({ text: aText }) },
  { weight: 4, arbitrary: fc.record({ text: aText, status: aStatus }) },
  { weight: 4, arbitrary: fc.record({ days: someDays }) },
  { weight: 4, arbitrary: fc.record({ days: someDays, status: fc.constant("published") }) },
  { weight: 3, arbitrary: fc.record({ category: aCategory }) },
  { weight: 2, arbitrary: fc.record({ category: aCategory, status: aStatus }) },
  { weight: 1, arbitrary: fc.record({ owner: fc.option(aPerson, { nil: null }) }) },
  { weight: 1, arbitrary: fc.record({ inTeam: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      text: aText,
      status: aStatus,
      days: someDays,
      category: aCategory,
      owner: fc.option(aPerson, { nil: null }),
      inTeam: fc.boolean(),
    }),
  },
];

/** The relative frequency of each move. */
const weights = {
  save: 7,
  publish: 3,
  unpublish: 1,
  archive: 1,
  unarchive: 1,
  delete: 1,
  undelete: 1,
  restore: 1,
  restrict: 1,
  share: 1,
  unshare: 1,
  review: 1,
  request: 5,
  replace: 2,
  approve: 7,
  reject: 1,
  "request changes": 1,
  withdraw: 1,
  turn: 1,
} as const satisfies Record<Move["verb"], number>;
const aVerb = fc.oneof(
  ...Object.entries(weights).map(([verb, weight]) => ({ weight, arbitrary: fc.constant(verb as Move["verb"]) })),
);

/** The people who move. People with more permissions move more often, so that lives make progress. */
const casting = [0, 0, 1, 1, 2, 2, 3, 3, 3, 4, 4, 4, 5, 6, 7];
const aStep = fc.record({
  who: fc.constantFrom(...casting),
  /** True to prefer a person and a move that fit the state. */
  isLikely: fc.boolean(),
  verb: aVerb,
  wish: fc.oneof(...wishes),
  version: fc.nat({ max: 50 }),
  people: fc.uniqueArray(aPerson, { minLength: 1, maxLength: 3 }),
  level: fc.constantFrom(...grantLevels),
  verdict: fc.constantFrom("keep" as const, "revise" as const, "archive" as const),
  isOn: fc.boolean(),
  /** The days that pass after the move. */
  days: fc.oneof(
    { weight: 20, arbitrary: fc.constant(0) },
    { weight: 4, arbitrary: fc.constant(1) },
    { weight: 1, arbitrary: fc.constant(31) },
  ),
});
export type Step = typeof aStep extends fc.Arbitrary<infer T> ? T : never;

export const stepsOfALife = 30;
export const aLife = fc.record({
  house: fc.nat({ max: companyRuleSets.length - 1 }),
  author: fc.constantFrom(0, 1, 2, 3, 4, 6),
  steps: fc.array(aStep, { minLength: stepsOfALife, maxLength: stepsOfALife }),
});

/** The first text of a life. No two lives have the same text, because its authors would count in both. */
export const firstText = () => `Text number 9 of ${newId()}.\n`;
const textOf = (n: number, { versions }: SopState) => (versions[0]?.body ?? "").replace(/number \d/, `number ${n}`);

/** The person who moves, and the move that fits the current state. @param now ISO time */
export function chosen(
  { people, house }: Stage,
  life: SopState,
  step: Step,
  now: string,
): { person: Player; wanted: Move } {
  const verb = step.isLikely ? fittingVerb(step.verb, life, now) : step.verb;
  const open = openRequest(life);
  const waiting = open && counted(open).find(({ status }) => status === "pending")?.who;
  const fitting = decisions.has(verb) ? waiting : verb === "replace" ? open?.by : undefined;
  const isForAdmins = verb === "turn" || verb === "undelete" || (verb === "restrict" && life.restricted);
  const likely = isForAdmins ? people[1] : people.find(({ id }) => id === fitting);
  const person = (step.isLikely && likely) || people[step.who];
  if (!person) throw new Error("nobody");
  return { person, wanted: moveOf({ ...step, verb }, { person, people, house, life, now, waiting }) };
}

const decisions: ReadonlySet<Move["verb"]> = new Set<Move["verb"]>(["approve", "reject", "request changes"]);

/**
 * Turns a verb into one that fits the state. Lives that end early and failing moves prove little, so half of the moves
 * use this.
 */
function fittingVerb(verb: Move["verb"], life: SopState, now: string): Move["verb"] {
  if (life.deletedAt !== null) return "undelete";
  if (life.status === "archived") return "unarchive";
  if (life.status === "draft" && decisions.has(verb)) return "request";
  if (life.status === "draft" && verb === "save" && (latestOf(life).effective ?? "") > now) return "publish";
  if (life.scheduled && life.requests.every(({ version }) => version !== life.scheduled?.version) && verb !== "save")
    return "turn";
  return verb === "undelete" || verb === "unarchive" ? "publish" : verb;
}

interface Standing {
  person: Player;
  house: Stage["house"];
  people: readonly Player[];
  life: SopState;
  now: string;
  waiting: string | undefined;
}

function moveOf(step: Step, { person, people, house, life, now, waiting }: Standing): Move {
  const ids = step.people.flatMap((n) => people[n]?.id ?? []);
  const able = people.filter(({ id }) => !isBarred(life, house, person.id, id)).slice(0, step.people.length + 1);
  const [first = "", second = first] = ids;
  switch (step.verb) {
    case "save":
      return { verb: "save", change: changeOf(life, step.wish, people, now) };
    case "restore":
      return { verb: "restore", version: (step.version % life.versions.length) + 1 };
    case "restrict":
      return { verb: "restrict", restricted: step.isLikely && !life.restricted };
    case "share":
      return { verb: "share", with: first, level: step.level };
    case "unshare":
      return { verb: "unshare", with: (step.isLikely && Object.keys(life.grants)[0]) || first };
    case "review":
      return { verb: "review", verdict: step.verdict };
    case "request":
      return { verb: "request", approvers: step.isLikely && able.length > 0 ? able.map(({ id }) => id) : ids };
    case "replace":
      return { verb: "replace", replace: (step.isLikely && waiting) || first, with: second };
    case "turn":
      return { verb: "turn", control: step.isOn ? "strict" : "flexible" };
    default:
      return { verb: step.verb };
  }
}

function changeOf(
  life: SopState,
  { text, days, owner, ...rest }: Wish,
  people: readonly Player[],
  now: string,
): Change {
  return {
    ...rest,
    ...(text === undefined ? {} : { body: textOf(text, life) }),
    ...(days === undefined ? {} : { effective: days === null ? null : dayAfterDays(now, days) }),
    ...(owner === undefined ? {} : { owner: owner === null ? null : (people[owner]?.id ?? null) }),
  };
}

const nothing = "01a1feff-1847-701e-88df-7b4afd63ec8e";

/** The stored records of the move's target. */
export interface Target {
  sop: SopDocument;
  /** The id of the SOP's latest request. */
  requestId: string | undefined;
}

/** @returns the API's answer */
export async function ask({ client }: Player, stage: Stage, { sop, requestId }: Target, wanted: Move): Promise<Answer> {
  const { sops, approvals, company } = client;
  const { _id: id } = sop;
  const params = { id };
  const request = { params: { id: requestId ?? nothing }, body: {} };
  const calls: { [V in Move["verb"]]: (move: Extract<Move, { verb: V }>) => Promise<unknown> } = {
    save: ({ change }) => sops.update({ params, body: bodyOf(change, stage) }),
    publish: () => sops.publish({ params, body: {} }),
    unpublish: () => sops.unpublish({ params, body: {} }),
    archive: () => sops.archive({ params, body: {} }),
    unarchive: () => sops.unarchive({ params, body: {} }),
    delete: () => sops.remove({ params }),
    undelete: () => sops.undelete({ params }),
    restore: ({ version }) => sops.restore({ params: { id, version }, body: {} }),
    restrict: ({ restricted }) => sops.restrict({ params, body: { restricted } }),
    share: (move) => sops.grant({ params, body: { userId: move.with, permission: move.level } }),
    unshare: (move) => {
      const permissionId = sop.grants.find(({ userId }) => userId === move.with)?.id ?? nothing;
      return sops.revoke({ params: { id, permissionId } });
    },
    review: ({ verdict }) => sops.review({ params, body: { verdict } }),
    request: ({ approvers }) => sops.requestApproval({ params, body: { approverIds: approvers } }),
    replace: (move) => approvals.replaceApprover({ ...request, body: { replace: move.replace, with: move.with } }),
    approve: () => approvals.approve(request),
    reject: () => approvals.reject(request),
    "request changes": () => approvals.requestChanges({ ...request, body: { comment: "Name the valve" } }),
    withdraw: () => approvals.withdraw(request),
    turn: ({ control }) => company.update({ body: { settings: { documentControl: control } } }),
  };
  try {
    await (calls[wanted.verb] as (move: Move) => Promise<unknown>)(wanted);
    return "ok";
  } catch (error) {
    if (error instanceof ApiError) return error.code as Answer;
    throw error;
  }
}

function bodyOf({ body, effective, inTeam, owner, category, status }: Change, { house, categoryIds }: Stage) {
  return {
    ...(body === undefined ? {} : { markdown: body }),
    ...(effective === undefined ? {} : { effectiveAt: effective }),
    ...(inTeam === undefined ? {} : { teamId: inTeam ? house.teamId : null }),
    ...(owner === undefined ? {} : { ownerId: owner }),
    ...(category === undefined ? {} : { categoryId: category === null ? null : categoryIds[category] }),
    ...(status === undefined ? {} : { status }),
  };
}
