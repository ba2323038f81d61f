import type { Actor } from "#core/permissions/actor.ts";
import { canBeApprover } from "#core/permissions/can.ts";
import {
  approversNeeded,
  assertPending,
  assertRequestable,
  assertWithinReach,
  decide,
  mayReplace,
  mayWithdraw,
  replaceApprover,
  type DecisionKind,
} from "#core/approvals/rules.ts";
import { AppError } from "#core/errors.ts";
import { newId } from "#core/ids.ts";
import type { ApprovalRequestDocument, ApproverDocument, SopDocument } from "../database/documents.ts";
import type { Call, Handlers, Identity } from "../http/call.ts";
import type { Services } from "../http/services.ts";
import { approvalRuleOf, assertFresh, authorOf, changeSop, reviewsOf } from "../sops/edit/change.ts";
import { loadFor, loadVisible } from "../sops/view/load.ts";
import { assertTextReady } from "../sops/edit/checks.ts";
import { publishStep, type Author, type Step } from "../sops/edit/steps.ts";
import { dateField, loadBase } from "../sops/edit/text.ts";
import { listRequests } from "./list.ts";
import { chooseApprovers, possibleApprovers, permissionLost, tooFewMessage } from "./people.ts";
import { presentApprovals, ruleOfRequest, type RequestOfSop } from "./present.ts";
import { approvalsIn, decisionStep, replaceStep, requestStep, signedNow, withdrawStep } from "./steps.ts";

type Signed = { identity: Identity } & Pick<Call, "origin" | "idempotency" | "ifMatch">;
type OnRequest = Signed & { params: { id: string } };
type WithComment = OnRequest & { body: { comment?: string | null | undefined } };

export function sopApprovalHandlers(services: Services): Pick<Handlers<"sops">, "requestApproval"> {
  const { clock, db } = services;

  return {
    async requestApproval(call) {
      const { identity, body, params } = call;
      const author = { ...authorOf(call, clock.now()), identity: call.identity };
      const requestId = newId();
      const load = async () => {
        const sop = await loadFor(services, identity.actor, params.id, "sop.request_approval");
        assertFresh(sop, call.ifMatch);
        return sop;
      };
      await changeSop(services, author, params.id, load, async (sop) => {
        assertRequestable(sop);
        await assertTextReady(services, identity.actor, (await loadBase(services, sop)).text);
        const named = { ids: body.approverIds, field: (index: number) => `approverIds.${index}` };
        const approvers = await chooseApprovers(services, sop, identity.user._id, named);
        const of = await approvalRuleOf(services, sop);
        const short = await tooFewMessage(services, sop, identity.user._id, of, approvers.length);
        if (short !== null) throw new AppError("invalid_input", short, { approverIds: short });
        const request: ApprovalRequestDocument = {
          _id: requestId,
          companyId: sop.companyId,
          sopId: sop._id,
          version: sop.version,
          contentHash: sop.contentHash,
          requestedBy: identity.user._id,
          requestedByName: identity.user.name,
          requestedByUsername: identity.user.username,
          requestNote: body.requestNote?.trim() || null,
          ...(body.changeClass && { changeClass: body.changeClass }),
          ...(body.effectiveAt !== undefined && {
            effectiveAt: dateField(body.effectiveAt, undefined, "effectiveAt") ?? null,
          }),
          rule: of.rule,
          status: "pending",
          outcome: null,
          approvers,
          waitingFor: approvers.map(({ userId }) => userId),
          createdAt: author.at,
          resolvedAt: null,
        };
        return [requestStep(sop, author, request)];
      });
      return answer(services, identity.actor, await loadRequest({ db }, identity.actor, requestId));
    },
  };
}

export function approvalHandlers(services: Services): Handlers<"approvals"> {
  const { clock, companies, db } = services;

  /** One action on one request: load, check, step, write. Starts over if another write came in between. */
  async function act(call: OnRequest, step: (found: RequestOfSop, author: Author) => Promise<Step[]> | Step[]) {
    const { actor } = call.identity;
    const author = { ...authorOf(call, clock.now()), identity: call.identity };
    const { sop: first } = await loadRequest({ db }, actor, call.params.id);
    const load = async () => {
      const { sop } = await loadRequest({ db }, actor, call.params.id);
      assertFresh(sop, call.ifMatch);
      return sop;
    };
    const sop = await changeSop(services, author, first._id, load, async (latest) => {
      // read after the SOP: a newer request belongs to another write, and then this one fails
      const request = await requestOf({ db }, actor, call.params.id);
      return step({ request, sop: latest }, author);
    });
    return answer(services, actor, { request: await requestOf({ db }, actor, call.params.id), sop });
  }

  function decideBy(kind: DecisionKind) {
    return (call: WithComment) =>
      act(call, async ({ request, sop }, author) => {
        const comment = call.body.comment?.trim() || null;
        const { at } = author;
        const decision = { kind, comment, at, contentHash: request.contentHash };
        const { rule } = await ruleOfRequest(services, { request, sop });
        const decided = signedNow(decide({ ...request, rule }, author.user._id, decision), call.identity.user);
        assertPinned(sop, request);
        if (!canBeApprover(call.identity.actor, sop)) throw new AppError("forbidden", permissionLost);
        if (kind === "approve") {
          assertWithinReach({ ...request, rule });
          await assertMayApprove(request, author);
        }
        const first = decisionStep(sop, author, request, kind, decided);
        if (decided.status !== "approved") return [first];
        const { frontMatter } = (await loadBase(services, sop, request.version)).text;
        const publication = {
          at,
          note: null,
          changeNote: request.requestNote,
          approvals: approvalsIn(decided.approvers),
          effective: dateField(request.effectiveAt, frontMatter.effective, "effectiveAt"),
          changeClass: request.changeClass,
        };
        return [first, publishStep(first.sop, { ...publication, ...(await reviewsOf(services, sop)) })];
      });
  }

  /** The company can stop allowing self-approval after the request. @throws AppError forbidden */
  async function assertMayApprove(request: ApprovalRequestDocument, { user }: Author): Promise<void> {
    const mine = request.approvers.find((one) => one.userId === user._id && one.replacedAt === null);
    if (!mine?.isOwnWork || (await companies.get(user.companyId))?.settings.allowSelfApproval) return;
    throw new AppError("forbidden", "Your company doesn't allow approving your own work anymore");
  }

  return {
    async list({ identity, query }) {
      return presentApprovals(services, identity.actor, await listRequests({ db }, identity.actor, query));
    },

    async candidates({ identity, params }) {
      const { actor } = identity;
      const { sop, view } = await loadVisible(services, actor, params.id);
      const pending = sop.requestId === null ? null : await requestOf({ db }, actor, sop.requestId);
      const may = pending === null ? null : mayReplace(actor, pending, sop);
      if (view !== "latest" || may === false) throw new AppError("forbidden");
      if (may === null) await loadFor(services, actor, params.id, "sop.request_approval");
      const people = await possibleApprovers(services, sop, pending?.requestedBy ?? actor.userId);
      const of = pending
        ? await ruleOfRequest(services, { request: pending, sop })
        : await approvalRuleOf(services, sop);
      return {
        ...of,
        approversNeeded: approversNeeded(of.rule),
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

    approve: decideBy("approve"),
    reject: decideBy("reject"),
    requestChanges: decideBy("request_changes"),

    withdraw: (call) =>
      act(call, ({ request, sop }, author) => {
        assertPending(request);
        if (!mayWithdraw(call.identity.actor, request, sop)) throw new AppError("forbidden");
        return [withdrawStep(sop, author, request, call.body.comment?.trim() || null)];
      }),

    replaceApprover: (call) =>
      act(call, async ({ request, sop }, author) => {
        assertPending(request);
        if (!mayReplace(call.identity.actor, request, sop)) throw new AppError("forbidden");
        const { replace: from, with: id } = call.body;
        const [to] = await chooseApprovers(services, sop, request.requestedBy, { ids: [id], field: () => "with" });
        if (!to) throw new AppError("invalid_input");
        const approvers: ApproverDocument[] = replaceApprover(request, from, to, author.at);
        return [replaceStep(sop, author, request, approvers, { from, to })];
      }),
  };
}

async function answer(services: Pick<Services, "db" | "companies" | "clock">, actor: Actor, found: RequestOfSop) {
  const [approval] = await presentApprovals(services, actor, [found]);
  if (!approval) throw new AppError("not_found");
  return approval;
}

/** The request is about one text: what the SOP says now must be that. @throws AppError conflict */
function assertPinned(sop: SopDocument, request: ApprovalRequestDocument): void {
  const same = sop.requestId === request._id && sop.version === request.version;
  if (!same || sop.contentHash !== request.contentHash)
    throw new AppError("conflict", "The SOP changed after this request");
}

async function requestOf({ db }: Pick<Services, "db">, { companyId }: Actor, id: string) {
  const request = await db.forCompany(companyId).collection("approval_requests").findOne({ _id: id });
  if (!request) throw new AppError("not_found");
  return request;
}

/**
 * @throws AppError not_found for requests about SOPs whose latest version the actor can't see, exactly as for unknown
 * ids
 */
async function loadRequest(services: Pick<Services, "db">, actor: Actor, id: string): Promise<RequestOfSop> {
  const request = await requestOf(services, actor, id);
  const { sop, view } = await loadVisible(services, actor, request.sopId);
  if (view !== "latest") throw new AppError("not_found");
  return { request, sop };
}
