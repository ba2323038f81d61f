/** Read confirmations of an SOP: who must confirm, who has, and who is still waiting. */
import { z } from "zod";
import { dueDays } from "../companies/rule-schemas.ts";
import { Id, Paging, Time } from "../contract/parts.ts";
import { limits } from "../limits.ts";
import { acknowledgementStates } from "./states.ts";

const id = z.string().min(1).max(100);

/** An empty audience (`{}`) ends the requests; confirmations stay. */
export const AcknowledgementAsk = z
  .strictObject({
    everyone: z.boolean().default(false),
    userIds: z.array(id).max(limits.audienceUsers).default([]),
    teamIds: z.array(id).max(limits.audienceTeams).default([]),
    /** Days to confirm in, from when it is owed; null: no due day. */
    dueDays: dueDays.nullable().default(null),
  })
  .meta({ id: "AcknowledgementAsk" });
export type AcknowledgementAsk = z.output<typeof AcknowledgementAsk>;

export const AcknowledgeBody = z
  .strictObject({
    /** The version that was read: the published one. */
    version: z.int().min(1),
    /** Its hash, to pin the words as well. */
    contentHash: z.string().max(100).optional(),
  })
  .meta({ id: "AcknowledgeBody" });

const Confirmed = z.object({ version: z.int(), at: Time });

/** The user's own confirmation: still waiting, or given. */
const OwnAcknowledgement = z.object({
  owes: z.boolean(),
  /** `YYYY-MM-DD` */
  dueBy: z.string().nullable(),
  overdue: z.boolean(),
  /** The user's latest confirmation. */
  confirmed: Confirmed.nullable(),
  /** It counts for the published version: minor changes keep it. */
  counts: z.boolean(),
});

export const AcknowledgementPerson = z
  .object({
    /** As they are, or as they were at the confirmation of a user who is gone. */
    user: z.object({ id: z.string(), name: z.string(), username: z.string().optional(), initials: z.string() }),
    state: z.enum(acknowledgementStates),
    dueBy: z.string().nullable(),
    /** The latest one; it counts in the state `confirmed` alone. */
    confirmed: Confirmed.nullable(),
  })
  .meta({ id: "AcknowledgementPerson" });
export type AcknowledgementPerson = z.output<typeof AcknowledgementPerson>;

/** All readers, overdue ones first: for people who can request confirmations. */
const AcknowledgementMatrix = z.object({
  ask: z
    .object({
      everyone: z.boolean(),
      userIds: z.array(z.string()),
      teamIds: z.array(z.string()),
      dueDays: z.int().nullable(),
      askedBy: z.object({ id: z.string(), name: z.string() }),
      askedAt: Time,
    })
    .nullable(),
  /** The counts of the audience. */
  counts: z.object({ asked: z.int(), confirmed: z.int(), overdue: z.int() }),
  people: z.array(AcknowledgementPerson),
  nextCursor: z.string().optional(),
});

export const Acknowledgements = z
  .object({
    sopId: Id,
    /** The version to confirm; null without a published one. */
    inForce: z.object({ version: z.int(), contentHash: z.string() }).nullable(),
    mine: OwnAcknowledgement,
    mayAsk: z.boolean(),
    /** Null for people who can't request confirmations, and with `mine=true`. */
    matrix: AcknowledgementMatrix.nullable(),
    /** With `readers=true`, for people who can request confirmations. */
    readers: z
      .object({
        /** The people who can read it once it is published, the user included. */
        count: z.int(),
        /** Those of them who must confirm its next major version. */
        asked: z.int(),
      })
      .optional(),
  })
  .meta({ id: "Acknowledgements" });
export type Acknowledgements = z.output<typeof Acknowledgements>;

export const AcknowledgementQuery = z.strictObject({
  /** Without the others. */
  mine: z.enum(["true"]).optional(),
  /** With the number of readers after publication. */
  readers: z.enum(["true"]).optional(),
  state: z.enum(acknowledgementStates).optional(),
  /** A part of the name. */
  search: z.string().max(100).optional(),
  limit: Paging.limit,
  cursor: Paging.cursor,
});
export type AcknowledgementQuery = z.output<typeof AcknowledgementQuery>;

/** An SOP that the user still has to read. */
export const OwedAcknowledgement = z
  .object({
    sop: z.object({ id: Id, number: z.string(), title: z.string() }),
    version: z.int(),
    /** Since when the user has to confirm it. */
    since: Time,
    dueBy: z.string().nullable(),
    overdue: z.boolean(),
  })
  .meta({ id: "OwedAcknowledgement" });
export type OwedAcknowledgement = z.output<typeof OwedAcknowledgement>;
