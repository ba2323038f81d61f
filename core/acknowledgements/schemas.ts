import { z } from "zod";
import { IdParams } from "../contract/parts.ts";
import { schemaGroup } from "../contract/schema.ts";
import {
  AcknowledgeBody,
  AcknowledgementAsk,
  AcknowledgementQuery,
  Acknowledgements,
  OwedAcknowledgement,
} from "./schema.ts";

export const acknowledgementSchemas = schemaGroup({
  mine: {
    summary: "What the asker still has to confirm as read, overdue ones first",
    output: z.array(OwedAcknowledgement),
  },
  get: {
    summary: "What the asker owes or has confirmed; for those who ask, everybody",
    params: IdParams,
    query: AcknowledgementQuery,
    output: Acknowledgements,
  },
  ask: {
    summary: "Ask readers to confirm that they have read the version in force, or end that",
    params: IdParams,
    body: AcknowledgementAsk,
    output: Acknowledgements,
  },
  confirm: { summary: "I have read this version", params: IdParams, body: AcknowledgeBody, output: Acknowledgements },
  export: { summary: "Who has confirmed which version, and who still has to, as CSV", params: IdParams, output: null },
});
