import type { Actor } from "#core/permissions/actor.ts";
import { minimumApproverCount, assertPending, mayReplaceApprover, type DecisionKind } from "#core/approvals/rules.ts";
import { AppError } from "#core/errors.ts";
import { newId } from "#core/ids.ts";
import { planDecision, planPublicationAfterApproval } from "#core/life-cycle/decide.ts";
import {
  assertCanRequestApproval,
  matchesRequestState,
  planApproverReplacement,
  planApprovalRequest,
  type RequestPlan,
} from "#core/life-cycle/request.ts";
import { withoutPendingRequest } from "#core/life-cycle/step.ts";
import { planRequestWithdrawal } from "#core/life-cycle/withdraw.ts";
import type { ApprovalRequestDocument, SopDocument } from "../database/documents.ts";
import type { Call, Handlers, Identity } from "../http/call.ts";
import type { Services } from "../http/services.ts";
import {
  loadApprovalRule,
  assertVersionMatches,
  authorOfChange,
  changeSop,
  createSopLoader,
  loadReviewMonths,
} from "../sops/edit/change.ts";
import { loadSopForAction, loadVisibleSop } from "../sops/view/load.ts";
import { assertTextReady } from "../sops/edit/checks.ts";
import { loadSaveBase } from "../sops/edit/text.ts";
import type { SopAuthor } from "../sops/edit/write.ts";
import { listRequests } from "./list.ts";
import { createApprovers, loadApproverCandidates, tooFewApproversMessage } from "./people.ts";
import { presentApprovals, loadRuleOfRequest, type RequestOfSop } from "./present.ts";

type ApprovalCall = { identity: Identity } & Pick<Call, "origin" | "idempotency" | "ifMatch">;
type RequestCall = ApprovalCall & { params: { id: string } };
type CommentedRequestCall = RequestCall & { body: { comment?: string | null | undefined } };

export function sopApprovalHandlers(services: Services): Pick<Handlers<"sops">, "requestApproval"> {
  const { clock, db } = services;

  return {
    async requestApproval(call) {
      const { identity, body, params } = call;
      const author = { ...authorOfChange(call, clock.now()), identity: call.identity };
      const id = newId();
      const load = createSopLoader(services, call, "sop.request_approval");
      const sop = await changeSop(services, author, params.id, load, async (stored) => {
        const isLost = stored.requestId !== null && (await findRequestUnderReview({ db }, stored)) === null;
        const latest = isLost ? sopAsDraft(stored) : stored;
        assertCanRequestApproval(latest);
        await assertTextReady(services, identity.actor, (await loadSaveBase(services, latest)).text);
        const named = { ids: body.approverIds, field: (index: number) => `approverIds.${index}` };
        const approvers = await createApprovers(services, latest, identity.user._id, named);
        const of = await loadApprovalRule(services, latest);
        const short = await tooFewApproversMessage(services, latest, identity.user._id, of, approvers.length);
        if (short !== null) throw new AppError("invalid_input", short, { approverIds: short });
        const facts = { id, by: identity.user, at: author.at, rule: of.rule, approvers };
        return planApprovalRequest(latest, body, facts).steps;
      });
      return presentOneApproval(services, identity.actor, {
        request: await loadApprovalRequest({ db }, identity.actor, id),
        sop,
      });
    },
  };
}

export function approvalHandlers(services: Services): Handlers<"approvals"> {
  const { clock, companies, db } = services;

  /**
   * Handles an action on a request: loads it, checks and plans the action, and writes the changes. Starts over if
   * another write came in between.
   */
  async function actOnRequest(
    call: RequestCall,
    plan: (found: RequestOfSop, author: SopAuthor) => Promise<RequestPlan> | RequestPlan,
  ) {
    const { actor } = call.identity;
    const author = { ...authorOfChange(call, clock.now()), identity: call.identity };
    const read = await loadApprovalRequest({ db }, actor, call.params.id);
    let isFirstTry = true;
    let after = read;
    const loadSop = async () => {
      const sop = await loadRequestedSop({ db }, actor, read);
      assertVersionMatches(sop, call.ifMatch);
      return sop;
    };
    const sop = await changeSop(services, author, read.sopId, loadSop, async (latest) => {
      // load the request again if the SOP names another one, or if another write made the first try fail
      const isAsRead = isFirstTry && matchesRequestState(latest, read);
      isFirstTry = false;
      const request = isAsRead ? read : await loadApprovalRequest({ db }, actor, call.params.id);
      const planned = await plan({ request, sop: latest }, author);
      after = planned.request;
      return planned.steps;
    });
    return presentOneApproval(services, actor, { request: after, sop });
  }

  function createDecisionHandler(kind: DecisionKind) {
    return (call: CommentedRequestCall) =>
      actOnRequest(call, async (found, { at }) => {
        const { request, sop } = found;
        const { actor, user } = call.identity;
        const comment = call.body.comment?.trim() || null;
        const { rule } = await loadRuleOfRequest(services, found);
        const allowSelfApproval = (await companies.get(actor.companyId))?.settings.allowSelfApproval ?? false;
        const plan = planDecision(sop, request, { kind, comment, at, actor, by: user, rule, allowSelfApproval });
        if (plan.request.status !== "approved") return plan;
        const inText = (await loadSaveBase(services, sop, request.version)).text.frontMatter.effective;
        return planPublicationAfterApproval(plan, { inText, at, ...(await loadReviewMonths(services, sop)) });
      });
  }

  return {
    async list({ identity, query }) {
      return presentApprovals(services, identity.actor, await listRequests({ db }, identity.actor, query));
    },

    async candidates({ identity, params }) {
      const { actor } = identity;
      const { sop, view } = await loadVisibleSop(services, actor, params.id);
      const pending = await findRequestUnderReview({ db }, sop);
      const may = pending === null ? null : mayReplaceApprover(actor, pending, sop);
      if (view !== "latest" || may === false) throw new AppError("forbidden");
      if (may === null) await loadSopForAction(services, actor, params.id, "sop.request_approval");
      const people = await loadApproverCandidates(services, sop, pending?.requestedBy ?? actor.userId);
      const of = pending
        ? await loadRuleOfRequest(services, { request: pending, sop })
        : await loadApprovalRule(services, sop);
      return {
        ...of,
        approversNeeded: minimumApproverCount(of.rule),
        people: people.map(({ person: { _id, name, username, initials, role }, reason }) => ({
          id: _id,
          name,
          username,
          initials,
          role,
          eligible: reason === null,
          ...(reason === null ? {} : { reason }),
        })),
      };
    },

    approve: createDecisionHandler("approve"),
    reject: createDecisionHandler("reject"),
    requestChanges: createDecisionHandler("request_changes"),

    withdraw: (call) =>
      actOnRequest(call, ({ request, sop }, { at }) => {
        const { actor, user } = call.identity;
        const comment = call.body.comment?.trim() || null;
        return planRequestWithdrawal(sop, request, { actor, by: user, at, comment });
      }),

    replaceApprover: (call) =>
      actOnRequest(call, async ({ request, sop }, { at }) => {
        assertPending(request);
        if (!mayReplaceApprover(call.identity.actor, request, sop)) throw new AppError("forbidden");
        const { replace: from, with: id } = call.body;
        const [to] = await createApprovers(services, sop, request.requestedBy, { ids: [id], field: () => "with" });
        if (!to) throw new AppError("invalid_input");
        return planApproverReplacement(sop, request, { from, to, at });
      }),
  };
}

async function presentOneApproval(
  services: Pick<Services, "db" | "companies" | "clock">,
  actor: Actor,
  found: RequestOfSop,
) {
  const [approval] = await presentApprovals(services, actor, [found]);
  if (!approval) throw new AppError("not_found");
  return approval;
}

/**
 * Finds the pending request about an SOP.
 * @returns null if the SOP isn't under review, or if the request's document is missing or can't be read: no one can
 * then decide about the request or withdraw it
 */
async function findRequestUnderReview(
  { db }: Pick<Services, "db">,
  { companyId, requestId: _id }: SopDocument,
): Promise<ApprovalRequestDocument | null> {
  if (_id === null) return null;
  const [request = null] = await db.forCompany(companyId).collection("approval_requests").find({ _id }, { limit: 1 });
  return request;
}

const sopAsDraft = (sop: SopDocument): SopDocument => ({ ...withoutPendingRequest(sop), status: "draft" });

async function loadApprovalRequest({ db }: Pick<Services, "db">, { companyId }: Actor, id: string) {
  const request = await db.forCompany(companyId).collection("approval_requests").findOne({ _id: id });
  if (!request) throw new AppError("not_found");
  return request;
}

/**
 * Loads the SOP of a request.
 * @throws AppError not_found for SOPs whose latest version the actor can't see, exactly as for unknown ids
 */
async function loadRequestedSop(services: Pick<Services, "db">, actor: Actor, { sopId }: ApprovalRequestDocument) {
  const { sop, view } = await loadVisibleSop(services, actor, sopId);
  if (view !== "latest") throw new AppError("not_found");
  return sop;
}
