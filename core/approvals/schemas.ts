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
    summary: "Requests about SOPs whose head the asker sees: what waits for him first, then newest first",
    query: ApprovalQuery,
    output: z.array(Approval),
  },
  candidates: {
    summary: "Show the rule that a request about this SOP must meet, and who can be named",
    params: IdParams,
    output: ApproverChoice,
  },
  approve: {
    summary: "Approve the pinned version; when the request's rule is met it is published",
    params: IdParams,
    body: DecisionAsk,
    output: Approval,
  },
  reject: {
    summary: "Reject the pinned version: it is a draft again",
    params: IdParams,
    body: DecisionAsk,
    output: Approval,
  },
  requestChanges: {
    summary: "Ask for changes, and say which: it is a draft again",
    params: IdParams,
    body: ChangesAsk,
    output: Approval,
  },
  withdraw: {
    summary: "Take a pending request back: it is a draft again",
    params: IdParams,
    body: DecisionAsk,
    output: Approval,
  },
  replaceApprover: {
    summary: "Name another approver in place of one who has not decided",
    params: IdParams,
    body: ReplaceApproverAsk,
    output: Approval,
  },
});
