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
  mine: { output: z.array(OwedAcknowledgement) },
  get: { params: IdParams, query: AcknowledgementQuery, output: Acknowledgements },
  ask: { params: IdParams, body: AcknowledgementAsk, output: Acknowledgements },
  confirm: { params: IdParams, body: AcknowledgeBody, output: Acknowledgements },
  export: { params: IdParams, output: null },
});
