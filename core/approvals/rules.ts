/** Approval as pure functions (`docs/life-cycle.md`): the right to decide, the rules, and the effects of a decision. */
import type { Actor, SopFacts } from "../permissions/actor.ts";
import { can, canBeApprover, canSeeOnlyPublished } from "../permissions/can.ts";
import type { ApprovalRule } from "../companies/settings.ts";
import { AppError } from "../errors.ts";
import { approvalRefusals } from "./refusals.ts";
import { sentences, type MessageWithId } from "../language/catalog.ts";

export const approvalStatuses = ["pending", "approved", "rejected"] as const;
/** The three statuses of a request in the API. `outcome` says how a request ended. */
export type ApprovalStatus = (typeof approvalStatuses)[number];

export const approvalOutcomes = ["approved", "rejected", "changes_requested", "withdrawn", "voided"] as const;
export type ApprovalOutcome = (typeof approvalOutcomes)[number];

/**
 * Reasons why a user can't be named as approver. `inactive` also covers ids that the company doesn't have; `no_right`
 * means that the user lacks `sop.decide`.
 */
export const ineligibleReasons = ["inactive", "denied", "no_right", "requester", "writer"] as const;
export type IneligibleReason = (typeof ineligibleReasons)[number];

export const ineligibleRefusals = sentences("core.approvals.ineligible", {
  inactive: "This is not an active user of the company",
  denied: "This user can't read drafts",
  no_right: "This user has no permission to approve",
  requester: "The person who submits can't approve",
  writer: "An author since the last published version can't approve",
}) satisfies Record<IneligibleReason, () => MessageWithId>;

export interface ApproverState {
  userId: string;
  status: ApprovalStatus;
  replacedAt: string | null;
}

export interface RequestState<A extends ApproverState = ApproverState> {
  status: ApprovalStatus;
  requestedBy: string;
  rule: ApprovalRule;
  approvers: readonly A[];
}

/** Returns the approvers of a request without those who were replaced. */
export function currentApprovers<A extends ApproverState>({ approvers }: { approvers: readonly A[] }): A[] {
  return approvers.filter(({ replacedAt }) => replacedAt === null);
}

/**
 * Returns the number of approvals after which the version is published. For `n_of_m` it is n, even if the request names
 * fewer people.
 */
export function neededApprovalCount({ rule, approvers }: Pick<RequestState, "rule" | "approvers">): number {
  const total = currentApprovers({ approvers }).length;
  if (rule.kind === "any") return 1;
  return rule.kind === "all" ? total : (rule.count ?? total);
}

/** Returns the number of people that a request must name so that its rule can be met. */
export function minimumApproverCount({ kind, count }: ApprovalRule): number {
  return kind === "n_of_m" ? Math.max(1, count ?? 1) : 1;
}

/** Returns the rule that needs more approvals from these approvers; the first rule if both need equally many. */
export function stricterRule(
  first: ApprovalRule,
  second: ApprovalRule,
  approvers: readonly ApproverState[],
): ApprovalRule {
  const neededCount = (rule: ApprovalRule) => neededApprovalCount({ rule, approvers });
  return neededCount(second) > neededCount(first) ? second : first;
}

/** The rule that requests about an SOP must meet. */
export interface RuleOfSop {
  rule: ApprovalRule;
  /** The name of the category that sets the rule; null if the company sets it. */
  category: string | null;
}

/** Explains that a request names too few approvers, with advice on how to change that. */
export interface ApproverShortage {
  problem: MessageWithId;
  /** Null if the requester only has to name more people. */
  advice: MessageWithId | null;
}

const shortages = sentences("core.approvals.shortages", {
  nameMore: "The rule needs {needed, plural, one {# approver} other {# approvers}}. Name {more} more.",
  noOne: "No one else can approve this SOP.",
  letMoreApprove: "A company admin can let more people approve.",
  tooFewPeople:
    "The rule needs {needed, plural, one {# approver} other {# approvers}}, but {able, plural, one {only # person} other {only # people}} can approve this SOP.",
  changeRule: "A company admin can change the rule.",
  changeRuleOf: "A manager can change the rule of {category}.",
  withAdvice: "{problem} {advice}",
});

/**
 * Explains to a requester that more approvers are needed.
 * @param named the number of named approvers @param able the number of people in the company who could be named
 * @returns null when enough are named
 */
export function approverShortage({ rule, category }: RuleOfSop, named: number, able: number): ApproverShortage | null {
  const needed = minimumApproverCount(rule);
  if (named >= needed) return null;
  if (able >= needed) return { problem: shortages.nameMore({ needed, more: needed - named }), advice: null };
  if (able === 0) return { problem: shortages.noOne(), advice: shortages.letMoreApprove() };
  return {
    problem: shortages.tooFewPeople({ needed, able }),
    advice: category === null ? shortages.changeRule() : shortages.changeRuleOf({ category }),
  };
}

/** Returns the result of `approverShortage` as one text. */
export function approverShortageText(...about: Parameters<typeof approverShortage>): MessageWithId | null {
  const { problem, advice = null } = approverShortage(...about) ?? {};
  return problem === undefined || advice === null ? (problem ?? null) : shortages.withAdvice({ problem, advice });
}

/**
 * Tells whether a request has enough approvals. It needs at least one, so a request without approvers never has enough.
 */
export function isRuleMet(request: Pick<RequestState, "rule" | "approvers">): boolean {
  const approved = currentApprovers(request).filter(({ status }) => status === "approved").length;
  return approved > 0 && approved >= neededApprovalCount(request);
}

/** Returns the approvers who still have to decide. */
export function waitingApprovers<A extends ApproverState>(request: RequestState<A>): A[] {
  return request.status === "pending" ? currentApprovers(request).filter(({ status }) => status === "pending") : [];
}

/** Tells whether the request waits for this user's decision. */
export function isAwaitedApprover({ userId }: Pick<Actor, "userId">, request: RequestState): boolean {
  return waitingApprovers(request).some((one) => one.userId === userId);
}

/** Tells whether this user can decide now. A user named earlier can have lost the permission to approve. */
export function mayDecide(actor: Actor, request: RequestState, sop: SopFacts): boolean {
  return isAwaitedApprover(actor, request) && canBeApprover(actor, sop);
}

/**
 * Checks that enough approvers are named. @throws AppError conflict if the rule became stricter after the request, so
 * that it needs more approvers
 */
export function assertEnoughApprovers(request: Pick<RequestState, "rule" | "approvers">): void {
  const [needed, named] = [neededApprovalCount(request), currentApprovers(request).length];
  if (needed <= named) return;
  throw new AppError("conflict", approvalRefusals.outOfReach({ needed, named }));
}

/** Tells whether a user can withdraw a pending request: its requester, and users who can publish the SOP. */
export function mayWithdraw(actor: Actor, request: RequestState, sop: SopFacts): boolean {
  if (request.status !== "pending" || !can(actor, "sop.read_head", sop)) return false;
  return request.requestedBy === actor.userId || can(actor, "sop.publish", sop);
}

/**
 * Tells whether a user can replace an approver: a user who can withdraw the request and still has the permission to
 * submit.
 */
export function mayReplaceApprover(actor: Actor, request: RequestState, sop: SopFacts): boolean {
  if (request.status !== "pending") return false;
  return can(actor, request.requestedBy === actor.userId ? "sop.request_approval" : "sop.publish", sop);
}

export interface ApprovalCandidate {
  actor: Actor;
  isActive: boolean;
}

/** The people whose work the request covers. */
export interface InvolvedPeople {
  requestedBy: string;
  /** The users who wrote words since the last published version. */
  writers: ReadonlySet<string>;
  /** True if the company allows users to approve their own work. */
  allowSelfApproval: boolean;
}

/** Returns the reason why a user can't be named as an approver; null for a user who can. */
export function ineligibleReason(
  { actor, isActive }: ApprovalCandidate,
  involved: InvolvedPeople,
  sop: SopFacts,
): IneligibleReason | null {
  return reasonUserCannotDecide({ actor, isActive }, sop) ?? involvementReason(actor.userId, involved);
}

/**
 * Returns the reason why a user, named as approver or not, can't decide now; null for a user who can. The user's own
 * authorship is not checked here.
 */
export function reasonUserCannotDecide({ actor, isActive }: ApprovalCandidate, sop: SopFacts): IneligibleReason | null {
  if (!isActive) return "inactive";
  if (canSeeOnlyPublished(actor)) return "denied";
  return canBeApprover(actor, sop) ? null : "no_right";
}

function involvementReason(userId: string, involved: InvolvedPeople): IneligibleReason | null {
  return involved.allowSelfApproval ? null : authorshipOf(userId, involved);
}

/**
 * Tells whether the user requested the approval or wrote words of the version. A decision by such a user is
 * self-approval. @returns null for other users
 */
export function authorshipOf(userId: string, { requestedBy, writers }: InvolvedPeople): "requester" | "writer" | null {
  if (userId === requestedBy) return "requester";
  return writers.has(userId) ? "writer" : null;
}

/**
 * The message for a request for changes without a comment, which would not tell the author what to change. Approvals
 * and rejections need no comment.
 */
export const changesNeedCommentText = approvalRefusals.changesNeedWords().text;

export type DecisionKind = "approve" | "reject" | "request_changes";

export interface ApprovalDecision {
  kind: DecisionKind;
  comment: string | null;
  /** The time of the decision, ISO 8601. */
  at: string;
  contentHash: string;
}

/** A request after a decision: the approver's entry, and the request's end if the decision ends it. */
export interface DecidedRequest<A> {
  approvers: A[];
  status: ApprovalStatus;
  outcome: ApprovalOutcome | null;
}

/**
 * Returns a request with a decision applied. One rejection or one request for changes ends the approval request; an
 * approval ends it if the rule is then met.
 * @throws AppError conflict when the request is resolved or this user has decided; forbidden for other users;
 *   invalid_input for a request for changes without a comment
 */
export function requestAfterDecision<
  A extends ApproverState & { comment: string | null; respondedAt: string | null; contentHash: string | null },
>(request: RequestState<A>, userId: string, { kind, comment, at, contentHash }: ApprovalDecision): DecidedRequest<A> {
  const mine = currentApprovers(request).find((one) => one.userId === userId);
  if (!mine) throw new AppError("forbidden", approvalRefusals.noApprover());
  assertPending(request);
  if (mine.status !== "pending") throw new AppError("conflict", approvalRefusals.decided());
  if (kind === "request_changes" && !comment?.trim())
    throw refusedFieldError("comment", approvalRefusals.changesNeedWords());
  const status = kind === "approve" ? "approved" : "rejected";
  const approvers = request.approvers.map((one) =>
    one === mine ? { ...one, status, comment, respondedAt: at, contentHash } : one,
  ) as A[];
  if (kind !== "approve")
    return { approvers, status: "rejected", outcome: kind === "reject" ? "rejected" : "changes_requested" };
  return isRuleMet({ rule: request.rule, approvers })
    ? { approvers, status: "approved", outcome: "approved" }
    : { approvers, status: "pending", outcome: null };
}

/** @throws AppError conflict */
export function assertPending({ status }: Pick<RequestState, "status">): void {
  if (status !== "pending") throw new AppError("conflict", approvalRefusals.closed());
}

/**
 * Returns the approvers of a request after the replacement of one who has not decided. The entry of the old approver
 * stays, with the time of the replacement.
 * @throws AppError conflict if the request is resolved; invalid_input if `replaced` isn't a pending approver, or if
 *   `by` is an approver already
 */
export function approversAfterReplacement<A extends ApproverState>(
  request: RequestState<A>,
  replaced: string,
  by: A,
  at: string,
): A[] {
  assertPending(request);
  if (!waitingApprovers(request).some(({ userId }) => userId === replaced))
    throw refusedFieldError("replace", approvalRefusals.notPending());
  if (currentApprovers(request).some(({ userId }) => userId === by.userId))
    throw refusedFieldError("with", approvalRefusals.already());
  const place = request.approvers.findIndex((one) => one.userId === replaced && one.replacedAt === null);
  const approvers = request.approvers.map((one, index) => (index === place ? { ...one, replacedAt: at } : one));
  return [...approvers.slice(0, place + 1), by, ...approvers.slice(place + 1)];
}

function refusedFieldError(field: string, message: MessageWithId): AppError {
  return new AppError("invalid_input", message, { [field]: message });
}
