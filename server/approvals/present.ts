import type { z } from "zod";
import type { Actor } from "#core/access/actor.ts";
import { approvalsNeeded, mayDecide, mayReplace, mayWithdraw } from "#core/approvals/rules.ts";
import type { Approval } from "#core/approvals/schema.ts";
import { numberLabel } from "#core/repository/names.ts";
import type { ApprovalRequestDocument, SopDocument } from "../database/documents.ts";

export interface RequestOfSop {
  request: ApprovalRequestDocument;
  sop: SopDocument;
}

/** For who sees the head of the SOP. */
export function presentApproval(actor: Actor, { request, sop }: RequestOfSop): z.input<typeof Approval> {
  return {
    id: request._id,
    sopId: sop._id,
    sop: {
      id: sop._id,
      number: numberLabel(sop.number),
      title: sop.title,
      version: sop.version,
      contentHash: sop.contentHash,
    },
    version: request.version,
    contentHash: request.contentHash,
    status: request.status,
    outcome: request.outcome,
    requestNote: request.requestNote,
    requestedBy: { id: request.requestedBy, name: request.requestedByName },
    rule: request.rule,
    needed: approvalsNeeded(request),
    createdAt: request.createdAt,
    resolvedAt: request.resolvedAt,
    approvers: request.approvers.map(({ id, userId, name, initials, status, comment, respondedAt, replacedAt }) => ({
      id,
      userId,
      user: { name, initials },
      status,
      comment,
      respondedAt,
      replacedAt,
    })),
    mayDecide: mayDecide(actor, request),
    mayWithdraw: mayWithdraw(actor, request, sop),
    mayReplace: mayReplace(actor, request, sop),
    publishedVersion: sop.publishedVersion,
  };
}
