/** Texts that came by git and wait for a decision, and what became of them. */
import { z } from "zod";
import { Id, Paging, Time, requiredText } from "../contract/parts.ts";
import { limits } from "../limits.ts";
import { proposalKinds, proposalSources, proposalStates } from "./rules.ts";

const Person = z.object({ id: Id, name: z.string(), username: z.string().optional() });

const row = {
  id: Id,
  /** Counted in each company: `refs/proposals/<number>` in its repository. */
  number: z.int(),
  state: z.enum(proposalStates),
  /** `archive`: it asks to archive the SOP, because its file was deleted. */
  kind: z.enum(proposalKinds),
  source: z.enum(proposalSources),
  /** As the user sees it now. Null for a new SOP, and for one that the user can't see anymore. */
  sop: z.object({ id: Id, number: z.string(), title: z.string(), version: z.int() }).nullable(),
  /** It becomes an SOP of its own. */
  isNew: z.boolean(),
  /** The title in the proposed text. */
  title: z.string(),
  /** The pushed file. */
  path: z.string(),
  /** The version that the text was made from, as far as is known. */
  baseVersion: z.int().nullable(),
  /** The message of the latest pushed commit. */
  comment: z.string().nullable(),
  author: Person,
  createdAt: Time,
  /** Why it was dismissed. */
  reason: z.string().nullable(),
  decidedBy: Person.nullable(),
  decidedAt: Time.nullable(),
  /** The version that it became. */
  version: z.int().nullable(),
  /** The later proposal that took its place; null, too, if the author's text became a draft. */
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
    /** The text it was made from; null if that isn't known or the user can't read it. */
    base: Version.nullable(),
    /** The text that the user sees now; null for a new SOP. */
    current: Version.nullable(),
    proposed: z.object({ markdown: z.string() }),
    /** Details beside the text that it changes. `both`: they were changed here since, too. */
    fields: z.array(
      z.object({
        key: z.string(),
        base: z.string().nullable(),
        current: z.string().nullable(),
        proposed: z.string().nullable(),
        by: z.enum(["proposed", "both"]),
      }),
    ),
    /** The whole file: front matter and Markdown. */
    text: z.string(),
    /** It is based on the latest version, so it can be accepted as it is. */
    isCurrent: z.boolean(),
  })
  .meta({ id: "Proposal" });
export type Proposal = z.output<typeof Proposal>;

export const ProposalQuery = z.strictObject({
  state: z.enum([...proposalStates, "all"]).default("open"),
  /** `true`: those that the user proposed; `false`: those that others proposed. */
  mine: z.enum(["true", "false"]).optional(),
  sopId: z.string().max(100).optional(),
  limit: Paging.limit,
  cursor: Paging.cursor,
});
export type ProposalQuery = z.output<typeof ProposalQuery>;

export const ProposalMerge = z.strictObject({
  /** The merged text. */
  markdown: z.string().max(limits.document),
  /** The version that it was merged with. */
  version: z.int(),
  /** Keys of the details that are taken from the proposal. */
  fields: z.array(z.string().max(100)).max(100).default([]),
});

export const ProposalDismissal = z.strictObject({
  reason: requiredText("Enter a reason").max(limits.noteCharacters),
});
