/** Read confirmations of an SOP: who must confirm, who has, and who is still waiting. */
import { z } from "zod";
import { dueDays } from "../companies/rule-schemas.ts";
import { Id, Paging, sentenceError, Time } from "../contract/parts.ts";
import { sentences } from "../language/catalog.ts";
import { limits } from "../limits.ts";
import { acknowledgementStates } from "./states.ts";

const refusals = sentences("core.acknowledgements.schema", {
  everyone: "Everyone includes all users and teams. Send no ids",
});

const id = z.string().min(1).max(100);

/**
 * Requests read confirmations from an audience. An empty audience (`{}`) ends the requests; given confirmations stay.
 */
export const AcknowledgementAsk = z
  .strictObject({
    everyone: z.boolean().default(false),
    userIds: z.array(id).max(limits.audienceUsers).default([]),
    teamIds: z.array(id).max(limits.audienceTeams).default([]),
    /** The number of days to confirm, counted from the request or publication; null for no due day. */
    dueDays: dueDays.nullable().default(null),
  })
  .refine(({ everyone, userIds, teamIds }) => !everyone || userIds.length + teamIds.length === 0, {
    ...sentenceError(refusals.everyone),
    path: ["everyone"],
  })
  .meta({ id: "AcknowledgementAsk" });
export type AcknowledgementAsk = z.output<typeof AcknowledgementAsk>;

export const AcknowledgeBody = z
  .strictObject({
    /** The version that was read: the published one. */
    version: z.int().min(1),
    /** The hash of that version, so that the confirmation names the exact text. */
    contentHash: z.string().max(100).optional(),
  })
  .meta({ id: "AcknowledgeBody" });

const Confirmed = z.object({ version: z.int(), at: Time });

/** The user's own read confirmation, given or still to give. */
const OwnAcknowledgement = z.object({
  /** True if the user still has to confirm the published version. */
  owes: z.boolean(),
  /** `YYYY-MM-DD` */
  dueBy: z.string().nullable(),
  overdue: z.boolean(),
  /** The user's latest confirmation; null if the user has confirmed no version. */
  confirmed: Confirmed.nullable(),
  /** The user's latest confirmation counts for the published version: minor changes keep it. */
  counts: z.boolean(),
});

export const AcknowledgementPerson = z
  .object({
    /** The user's current name; for a deleted user, the name at the time of the confirmation. */
    user: z.object({ id: z.string(), name: z.string(), username: z.string().optional(), initials: z.string() }),
    state: z.enum(acknowledgementStates),
    dueBy: z.string().nullable(),
    /** The person's latest confirmation, null without one. It counts only in the state `confirmed`. */
    confirmed: Confirmed.nullable(),
  })
  .meta({ id: "AcknowledgementPerson" });
export type AcknowledgementPerson = z.output<typeof AcknowledgementPerson>;

/**
 * All readers with the state of their confirmations, overdue readers first. Only people who can request confirmations
 * get it.
 */
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
  /** The counts cover the whole audience. */
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
    /** Null with `mine=true`, and for people who can't request confirmations. */
    matrix: AcknowledgementMatrix.nullable(),
    /** Present with `readers=true`, if the user can request confirmations. */
    readers: z
      .object({
        /** The number of people who can read the SOP once it is published, the user included. */
        count: z.int(),
        /** The number of these people who must confirm the next major version of the SOP. */
        asked: z.int(),
      })
      .optional(),
  })
  .meta({ id: "Acknowledgements" });
export type Acknowledgements = z.output<typeof Acknowledgements>;

export const AcknowledgementQuery = z.strictObject({
  /** Returns only the user's own confirmation. */
  mine: z.enum(["true"]).optional(),
  /** Adds the number of readers after publication. */
  readers: z.enum(["true"]).optional(),
  state: z.enum(acknowledgementStates).optional(),
  /** A part of the person's name. */
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
