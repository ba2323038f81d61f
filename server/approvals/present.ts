import type { z } from "zod";
import type { Actor } from "#core/permissions/actor.ts";
import {
  neededApprovalCount,
  currentApprovers,
  mayDecide,
  mayReplaceApprover,
  mayWithdraw,
  stricterRule,
  waitingApprovers,
  type IneligibleReason,
  type RuleOfSop,
} from "#core/approvals/rules.ts";
import type { Approval } from "#core/approvals/schema.ts";
import type { ApprovalRequestDocument, SopDocument } from "../database/documents.ts";
import type { Services } from "../http/services.ts";
import { loadApprovalRule } from "../sops/edit/change.ts";
import { loadApproverCheck } from "./people.ts";

export interface RequestOfSop {
  request: ApprovalRequestDocument;
  sop: SopDocument;
}

type ApprovalServices = Pick<Services, "db" | "companies" | "clock">;

/** Converts requests to answers of the API. Only for actors who see the latest version of each SOP. */
export async function presentApprovals(
  services: ApprovalServices,
  actor: Actor,
  found: readonly RequestOfSop[],
): Promise<z.input<typeof Approval>[]> {
  const approverIds = found.flatMap(({ request }) => waitingApprovers(request).map(({ userId }) => userId));
  const judge = await loadApproverCheck(services, actor.companyId, approverIds);
  return Promise.all(
    found.map(async (one) => {
      const { rule } = await loadRuleOfRequest(services, one);
      return presentApproval(actor, { ...one, request: { ...one.request, rule } }, judge);
    }),
  );
}

/**
 * Returns the rule that a request must meet. For a pending request, that is the stricter one of the rule at its start
 * and today's rule.
 */
export async function loadRuleOfRequest(
  services: Pick<Services, "companies">,
  { request, sop }: RequestOfSop,
): Promise<RuleOfSop> {
  const today = await loadApprovalRule(services, sop);
  if (request.status !== "pending") return { ...today, rule: request.rule };
  return { ...today, rule: stricterRule(request.rule, today.rule, currentApprovers(request)) };
}

function presentApproval(
  actor: Actor,
  { request, sop }: RequestOfSop,
  judge: (userId: string, sop: SopDocument) => IneligibleReason | null,
): z.input<typeof Approval> {
  const { endedBy } = request;
  const waiting = new Set(waitingApprovers(request));
  return {
    id: request._id,
    sopId: sop._id,
    sop: {
      id: sop._id,
      number: sop.label,
      title: sop.title,
      version: sop.version,
      contentHash: sop.contentHash,
    },
    version: request.version,
    contentHash: request.contentHash,
    status: request.status,
    outcome: request.outcome,
    requestNote: request.requestNote,
    requestedBy: { id: request.requestedBy, name: request.requestedByName, username: request.requestedByUsername },
    rule: request.rule,
    needed: neededApprovalCount(request),
    createdAt: request.createdAt,
    ...(request.effectiveAt !== undefined && { effectiveAt: request.effectiveAt }),
    resolvedAt: request.resolvedAt,
    endedBy: endedBy
      ? { id: endedBy.userId, name: endedBy.name, username: endedBy.username, comment: endedBy.comment }
      : null,
    approvers: request.approvers.map((one) => ({
      id: one.id,
      userId: one.userId,
      user: { name: one.name, username: one.username, initials: one.initials },
      status: one.status,
      comment: one.comment,
      respondedAt: one.respondedAt,
      replacedAt: one.replacedAt,
      active: !waiting.has(one) || judge(one.userId, sop) === null,
    })),
    mayDecide: mayDecide(actor, request, sop),
    mayWithdraw: mayWithdraw(actor, request, sop),
    mayReplace: mayReplaceApprover(actor, request, sop),
    publishedVersion: sop.published?.version ?? null,
  };
}
