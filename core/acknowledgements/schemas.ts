import { z } from "zod";
import { IdParams } from "../contract/parts.ts";
import { schemaGroup } from "../contract/schema.ts";
import {
  AcknowledgementOverview,
  OverviewExportQuery,
  OverviewQuery,
  RemindBody,
  Reminded,
} from "./overview-schema.ts";
import {
  AcknowledgeBody,
  AcknowledgementAsk,
  AcknowledgementQuery,
  Acknowledgements,
  OwedAcknowledgement,
} from "./schema.ts";

export const acknowledgementSchemas = schemaGroup({
  mine: {
    summary: "List what you still have to confirm as read, overdue first",
    output: z.array(OwedAcknowledgement),
  },
  overview: {
    summary: "List people and the SOPs they must confirm, for SOPs where you can ask for confirmations",
    query: OverviewQuery,
    output: AcknowledgementOverview,
  },
  exportOverview: {
    summary: "Export people and the SOPs they must confirm as CSV",
    query: OverviewExportQuery,
    output: null,
  },
  remind: {
    summary: "Remind people of overdue read confirmations, each person once a day",
    body: RemindBody,
    output: Reminded,
  },
  get: {
    summary: "Get your read confirmation; with permission to ask, those of all readers",
    params: IdParams,
    query: AcknowledgementQuery,
    output: Acknowledgements,
  },
  ask: {
    summary: "Ask readers to confirm that they have read the published version, or end that",
    params: IdParams,
    body: AcknowledgementAsk,
    output: Acknowledgements,
  },
  confirm: {
    summary: "Confirm that you have read this version",
    params: IdParams,
    body: AcknowledgeBody,
    output: Acknowledgements,
  },
  export: {
    summary: "Export read confirmations as CSV: confirmed versions and waiting readers",
    params: IdParams,
    output: null,
  },
});
