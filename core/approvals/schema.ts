/** Requests for approval (`docs/spec/entities.md`). */
import { z } from "zod";
import { roles } from "../permissions/roles.ts";
import { ApprovalRule } from "../companies/rule-schemas.ts";
import { Id, missingValueError, Time, sentenceError } from "../contract/parts.ts";
import { limits } from "../limits.ts";
import { PublicationFields } from "../sops/publication.ts";
import { approvalOutcomes, approvalStatuses, ineligibleReasons } from "./rules.ts";
import { sentences } from "../language/catalog.ts";
import { approvalRefusals } from "./refusals.ts";

const refusals = sentences("core.approvals.schema", {
  approver: "Select at least one approver",
});

/** Absent in old records, which were stored without usernames. */
const username = z.string().optional();
const userId = z.string().min(1).max(100);
const comment = z.string().max(limits.noteCharacters).nullish();

const Approver = z.object({
  id: Id,
  userId: z.string(),
  /** The approver's names at the time of the decision; before a decision, at the time of the request. */
  user: z.object({ name: z.string(), username, initials: z.string() }),
  status: z.enum(approvalStatuses),
  comment: z.string().nullable(),
  respondedAt: Time.nullable(),
  replacedAt: Time.nullable(),
  /** False if the request waits for an approver who can't sign in anymore or lost the permission to approve. */
  active: z.boolean(),
});

export const Approval = z
  .object({
    id: Id,
    sopId: Id,
    /** The SOP with its latest version. */
    sop: z.object({ id: Id, number: z.string(), title: z.string(), version: z.int(), contentHash: z.string() }),
    /** The version that the request is about. */
    version: z.int(),
    contentHash: z.string(),
    status: z.enum(approvalStatuses),
    outcome: z.enum(approvalOutcomes).nullable(),
    requestNote: z.string().nullable(),
    requestedBy: z.object({ id: z.string(), name: z.string(), username }),
    rule: ApprovalRule,
    /** The number of approvals after which the version is published. */
    needed: z.int(),
    createdAt: Time,
    /**
     * The effective date of the approved version (`YYYY-MM-DD`): null for an immediate start, absent if the date in the
     * text applies.
     */
    effectiveAt: z.string().nullable().optional(),
    resolvedAt: Time.nullable(),
    /**
     * The user who withdrew or canceled the request, with the name at that time; null for a pending request and for one
     * that was decided.
     */
    endedBy: z.object({ id: z.string(), name: z.string(), username, comment: z.string().nullable() }).nullable(),
    approvers: z.array(Approver),
    mayDecide: z.boolean(),
    mayWithdraw: z.boolean(),
    mayReplace: z.boolean(),
    /** The version that readers see now, for a comparison. */
    publishedVersion: z.int().nullable(),
  })
  .meta({ id: "Approval" });
export type Approval = z.output<typeof Approval>;

/** An active user of the company, with the reason if this user can't be named as an approver. */
export const ApproverCandidate = z
  .object({
    id: z.string(),
    name: z.string(),
    username: z.string(),
    initials: z.string(),
    role: z.enum(roles),
    eligible: z.boolean(),
    reason: z.enum(ineligibleReasons).optional(),
  })
  .meta({ id: "ApproverCandidate" });
export type ApproverCandidate = z.output<typeof ApproverCandidate>;

/** The rule that a request must meet, and the people who could be its approvers. */
export const ApproverChoice = z
  .object({
    rule: ApprovalRule,
    /** The name of the category that sets the rule; null if the company sets it. */
    category: z.string().nullable(),
    /** The smallest number of people that a request must name. */
    approversNeeded: z.int(),
    people: z.array(ApproverCandidate),
  })
  .meta({ id: "ApproverChoice" });
export type ApproverChoice = z.output<typeof ApproverChoice>;

export const ApprovalAsk = z
  .strictObject({
    requestNote: comment,
    /** Fields of the publication that follows the last approval. */
    ...PublicationFields.shape,
    approverIds: z
      .array(userId, missingValueError(refusals.approver))
      .min(1, sentenceError(refusals.approver))
      .max(limits.approvers),
  })
  .meta({ id: "ApprovalAsk" });

export const DecisionAsk = z.strictObject({ comment }).default({});

export const ChangesAsk = z
  .strictObject({
    comment: z
      .string(missingValueError(approvalRefusals.changesNeedWords))
      .trim()
      .min(1, sentenceError(approvalRefusals.changesNeedWords))
      .max(limits.noteCharacters),
  })
  .meta({ id: "ChangesAsk" });

export const ReplaceApproverAsk = z.strictObject({ replace: userId, with: userId }).meta({ id: "ReplaceApproverAsk" });

export const ApprovalQuery = z.strictObject({
  sopId: z.string().max(100).optional(),
  status: z.enum(approvalStatuses).optional(),
  /** Returns only requests that wait for the user's decision. */
  mine: z.enum(["true"]).optional(),
});
export type ApprovalQuery = z.output<typeof ApprovalQuery>;
