/** Texts that arrived by git and wait for a decision, and the decisions about them. */
import { z } from "zod";
import { Id, Paging, Time, requiredCleanTextSchema } from "../contract/parts.ts";
import { limits } from "../limits.ts";
import { proposalKinds, proposalSources, proposalStates } from "./rules.ts";
import { sentences } from "../language/catalog.ts";

const refusals = sentences("core.proposals.schema", {
  reason: "Enter a reason",
});

const Person = z.object({ id: Id, name: z.string(), username: z.string().optional() });

const row = {
  id: Id,
  /** The number in the company: `refs/proposals/<number>` in its repository. */
  number: z.int(),
  state: z.enum(proposalStates),
  /** `archive`: the proposal is to archive the SOP, because its file was deleted. */
  kind: z.enum(proposalKinds),
  source: z.enum(proposalSources),
  /** The SOP as the user sees it now. Null for a new SOP, and for one that the user can't see anymore. */
  sop: z.object({ id: Id, number: z.string(), title: z.string(), version: z.int() }).nullable(),
  /** True if the proposal becomes a new SOP. */
  isNew: z.boolean(),
  /** The title in the proposed text. */
  title: z.string(),
  /** The path of the pushed file. */
  path: z.string(),
  /** The version that the text was made from; null if it is not known. */
  baseVersion: z.int().nullable(),
  /** The message of the latest pushed commit; null without one. */
  comment: z.string().nullable(),
  author: Person,
  createdAt: Time,
  /** The reason for the dismissal; null for a proposal that was not dismissed. */
  reason: z.string().nullable(),
  decidedBy: Person.nullable(),
  decidedAt: Time.nullable(),
  /** The version that the proposal became; null if it became none. */
  version: z.int().nullable(),
  /** The number of the later proposal that replaced this one; null if none did, or a later text became a draft. */
  supersededBy: z.int().nullable(),
  mayDecide: z.boolean(),
  mayDismiss: z.boolean(),
};

export const ProposalRow = z.object(row).meta({ id: "ProposalRow" });
export type ProposalRow = z.output<typeof ProposalRow>;

const Version = z.object({ version: z.int(), markdown: z.string() });

export const Proposal = z
  .object({
    ...row,
    /** The text that the proposal was made from; null if it isn't known or the user can't read it. */
    base: Version.nullable(),
    /** The text that the user sees now; null for a new SOP. */
    current: Version.nullable(),
    proposed: z.object({ markdown: z.string() }),
    /** Fields that the proposal changes besides the text. `both`: the SOP's current version changed them too. */
    fields: z.array(
      z.object({
        key: z.string(),
        base: z.string().nullable(),
        current: z.string().nullable(),
        proposed: z.string().nullable(),
        by: z.enum(["proposed", "both"]),
      }),
    ),
    /** The whole proposed file: front matter and Markdown. */
    text: z.string(),
    /** True if the proposal is based on the latest version, so that it can be accepted unchanged. */
    isCurrent: z.boolean(),
  })
  .meta({ id: "Proposal" });
export type Proposal = z.output<typeof Proposal>;

export const ProposalQuery = z.strictObject({
  state: z.enum([...proposalStates, "all"]).default("open"),
  /** `true`: proposals of the user; `false`: proposals of others. */
  mine: z.enum(["true", "false"]).optional(),
  sopId: z.string().max(100).optional(),
  limit: Paging.limit,
  cursor: Paging.cursor,
});
export type ProposalQuery = z.output<typeof ProposalQuery>;

export const ProposalMerge = z.strictObject({
  /** The merged text. */
  markdown: z.string().max(limits.document),
  /** The version that the proposal was merged with. */
  version: z.int(),
  /** The names of fields to take from the proposal. */
  fields: z.array(z.string().max(100)).max(100).default([]),
});

export const ProposalDismissal = z.strictObject({
  reason: requiredCleanTextSchema(refusals.reason).max(limits.noteCharacters),
});
