/** Requests for approval (seed §3, §5; `design/domain.md`, Approval). */
import { z } from "zod";
import { roles } from "../access/roles.ts";
import { Id, Time } from "../contract/parts.ts";
import { limits } from "../limits.ts";
import { approvalOutcomes, approvalStatuses, changesNeedWords, ineligibleReasons } from "./rules.ts";

const userId = z.string().min(1).max(100);
const comment = z.string().max(limits.noteCharacters).nullish();

export const Approver = z.object({
  id: Id,
  userId: z.string(),
  /** As printed when he was asked. */
  user: z.object({ name: z.string(), initials: z.string() }),
  status: z.enum(approvalStatuses),
  comment: z.string().nullable(),
  respondedAt: Time.nullable(),
  replacedAt: Time.nullable(),
  /** False: it waits for him, and he can't sign in any more. */
  active: z.boolean(),
});

export const Approval = z
  .object({
    id: Id,
    sopId: Id,
    /** As it is now: the head. */
    sop: z.object({ id: Id, number: z.string(), title: z.string(), version: z.int(), contentHash: z.string() }),
    /** What the request is about. */
    version: z.int(),
    contentHash: z.string(),
    status: z.enum(approvalStatuses),
    outcome: z.enum(approvalOutcomes).nullable(),
    requestNote: z.string().nullable(),
    requestedBy: z.object({ id: z.string(), name: z.string() }),
    rule: z.object({ kind: z.enum(["all", "any", "n_of_m"]), count: z.int().nullable() }),
    /** How many approvals put it in force. */
    needed: z.int(),
    createdAt: Time,
    resolvedAt: Time.nullable(),
    /** Who withdrew it, or whose change voided it, by the name he had; null for what was decided. */
    endedBy: z.object({ id: z.string(), name: z.string(), comment: z.string().nullable() }).nullable(),
    approvers: z.array(Approver),
    mayDecide: z.boolean(),
    mayWithdraw: z.boolean(),
    mayReplace: z.boolean(),
    /** What readers have now, to compare with. */
    publishedVersion: z.int().nullable(),
  })
  .meta({ id: "Approval" });
export type Approval = z.output<typeof Approval>;

/** Whom one may name: everybody active, and why not where not. */
export const ApproverCandidate = z
  .object({
    id: z.string(),
    name: z.string(),
    initials: z.string(),
    role: z.enum(roles),
    eligible: z.boolean(),
    reason: z.enum(ineligibleReasons).optional(),
  })
  .meta({ id: "ApproverCandidate" });
export type ApproverCandidate = z.output<typeof ApproverCandidate>;

export const ApprovalAsk = z
  .strictObject({
    requestNote: comment,
    approverIds: z
      .array(userId, { error: (issue) => (issue.input === undefined ? "Select at least one approver" : undefined) })
      .min(1, "Select at least one approver")
      .max(limits.approvers),
  })
  .meta({ id: "ApprovalAsk" });

export const DecisionAsk = z.strictObject({ comment }).default({});

export const ChangesAsk = z
  .strictObject({ comment: z.string(changesNeedWords).trim().min(1, changesNeedWords).max(limits.noteCharacters) })
  .meta({ id: "ChangesAsk" });

export const ReplaceApproverAsk = z.strictObject({ replace: userId, with: userId }).meta({ id: "ReplaceApproverAsk" });

export const ApprovalQuery = z.strictObject({
  sopId: z.string().max(100).optional(),
  status: z.enum(approvalStatuses).optional(),
  /** What waits for the asker's decision. */
  mine: z.enum(["true"]).optional(),
});
export type ApprovalQuery = z.output<typeof ApprovalQuery>;
