import { IdParams, pageSchemaOf } from "../contract/parts.ts";
import { schemaGroup } from "../contract/schema.ts";
import { Proposal, ProposalDismissal, ProposalMerge, ProposalQuery, ProposalRow } from "./schema.ts";

export const proposalSchemas = schemaGroup({
  list: {
    summary: "List pushed texts that you can decide about, and your own; newest first",
    query: ProposalQuery,
    output: pageSchemaOf(ProposalRow),
  },
  get: {
    summary: "Get a proposal with the text it was made from, and the latest text",
    params: IdParams,
    output: Proposal,
  },
  accept: {
    summary: "Save the proposed text as the next draft; it must be based on the latest version",
    params: IdParams,
    output: ProposalRow,
  },
  merge: {
    summary: "Save a text that merges the proposal with the latest version as the next draft",
    params: IdParams,
    body: ProposalMerge,
    output: ProposalRow,
  },
  dismiss: {
    summary: "Dismiss a proposal and say why; authors can dismiss their own",
    params: IdParams,
    body: ProposalDismissal,
    output: ProposalRow,
  },
});
