import type { z } from "zod";
import type { Actor } from "#core/access/actor.ts";
import { approvalsNeeded, mayDecide, mayReplace, mayWithdraw, waitingApprovers } from "#core/approvals/rules.ts";
import type { Approval } from "#core/approvals/schema.ts";
import { numberLabel } from "#core/repository/names.ts";
import type { ApprovalRequestDocument, SopDocument } from "../database/documents.ts";
import type { Services } from "../http/services.ts";

export interface RequestOfSop {
  request: ApprovalRequestDocument;
  sop: SopDocument;
}

/** For who sees the head of each SOP. */
export async function presentApprovals(
  { db }: Pick<Services, "db">,
  actor: Actor,
  found: readonly RequestOfSop[],
): Promise<z.input<typeof Approval>[]> {
  const asked = new Set(found.flatMap(({ request }) => waitingApprovers(request).map(({ userId }) => userId)));
  const active = await activeOf({ db }, actor.companyId, asked);
  return found.map((one) => presentApproval(actor, one, active));
}

async function activeOf({ db }: Pick<Services, "db">, companyId: string, ids: ReadonlySet<string>) {
  if (ids.size === 0) return ids;
  const users = await db
    .forCompany(companyId)
    .collection("users")
    .find({ _id: { $in: [...ids] }, status: "active" }, { projection: { status: 1 } });
  return new Set(users.map(({ _id }) => _id));
}

function presentApproval(
  actor: Actor,
  { request, sop }: RequestOfSop,
  active: ReadonlySet<string>,
): z.input<typeof Approval> {
  const { endedBy } = request;
  const waiting = new Set(waitingApprovers(request));
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
    endedBy: endedBy ? { id: endedBy.userId, name: endedBy.name, comment: endedBy.comment } : null,
    approvers: request.approvers.map((one) => ({
      id: one.id,
      userId: one.userId,
      user: { name: one.name, initials: one.initials },
      status: one.status,
      comment: one.comment,
      respondedAt: one.respondedAt,
      replacedAt: one.replacedAt,
      active: !waiting.has(one) || active.has(one.userId),
    })),
    mayDecide: mayDecide(actor, request),
    mayWithdraw: mayWithdraw(actor, request, sop),
    mayReplace: mayReplace(actor, request, sop),
    publishedVersion: sop.publishedVersion,
  };
}
