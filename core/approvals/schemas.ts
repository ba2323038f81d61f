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
  requestApproval: { params: IdParams, body: ApprovalAsk, output: Approval },
});

export const approvalSchemas = schemaGroup({
  list: { query: ApprovalQuery, output: z.array(Approval) },
  candidates: { params: IdParams, output: ApproverChoice },
  approve: { params: IdParams, body: DecisionAsk, output: Approval },
  reject: { params: IdParams, body: DecisionAsk, output: Approval },
  requestChanges: { params: IdParams, body: ChangesAsk, output: Approval },
  withdraw: { params: IdParams, body: DecisionAsk, output: Approval },
  replaceApprover: { params: IdParams, body: ReplaceApproverAsk, output: Approval },
});
