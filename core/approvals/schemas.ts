import { z } from "zod";
import { IdParams } from "../contract/parts.ts";
import { schemaGroup } from "../contract/schema.ts";
import {
  Approval,
  ApprovalAsk,
  ApprovalQuery,
  ApproverChoice,
  ChangesAsk,
  DecisionAsk,
  ReplaceApproverAsk,
} from "./schema.ts";

export const sopApprovalSchemas = schemaGroup({
  requestApproval: {
    summary: "Submit a draft for approval: pins its version and names the approvers",
    params: IdParams,
    body: ApprovalAsk,
    output: Approval,
  },
});

export const approvalSchemas = schemaGroup({
  list: {
    summary: "List approval requests for SOPs whose draft you can see: yours to decide first, then newest first",
    query: ApprovalQuery,
    output: z.array(Approval),
  },
  candidates: {
    summary: "Show the rule that a request about this SOP must meet, and who can be named",
    params: IdParams,
    output: ApproverChoice,
  },
  approve: {
    summary: "Approve the pinned version; it's published when the request's rule is met",
    params: IdParams,
    body: DecisionAsk,
    output: Approval,
  },
  reject: {
    summary: "Reject the pinned version: the SOP becomes a draft",
    params: IdParams,
    body: DecisionAsk,
    output: Approval,
  },
  requestChanges: {
    summary: "Request changes, with a comment: the SOP becomes a draft",
    params: IdParams,
    body: ChangesAsk,
    output: Approval,
  },
  withdraw: {
    summary: "Withdraw a pending request: the SOP becomes a draft",
    params: IdParams,
    body: DecisionAsk,
    output: Approval,
  },
  replaceApprover: {
    summary: "Replace an approver who hasn't decided",
    params: IdParams,
    body: ReplaceApproverAsk,
    output: Approval,
  },
});
