/** Read confirmations of a company: people × SOPs, for the SOPs where the user can ask for confirmations. */
import { z } from "zod";
import { Id, Paging } from "../contract/parts.ts";
import { limits } from "../limits.ts";
import { AcknowledgementPerson } from "./schema.ts";

const id = z.string().min(1).max(100);

/** Filters that narrow the people, the SOPs and their counts. */
const about = {
  teamId: id.optional(),
  categoryId: id.optional(),
  /** A part of a person's name, or of an SOP's number or title. */
  search: z.string().max(100).optional(),
};

const filters = {
  /** People with overdue confirmations, or people with confirmations that are still due. */
  show: z.enum(["late", "due"]).optional(),
  ...about,
};

export const OverviewExportQuery = z.strictObject(filters);
export type OverviewFilters = z.output<typeof OverviewExportQuery>;

export const OverviewQuery = z.strictObject({ ...filters, limit: Paging.limit, cursor: Paging.cursor });

const Reading = AcknowledgementPerson.omit({ user: true }).extend({ sopId: Id });

export const OverviewPerson = z
  .object({
    user: AcknowledgementPerson.shape.user,
    /** The person's first team by name; null without one. */
    team: z.object({ id: Id, name: z.string() }).nullable(),
    late: z.int(),
    due: z.int(),
    /** Someone has reminded the person today. */
    reminded: z.boolean(),
    /** The SOPs that the person has to confirm. */
    readings: z.array(Reading),
  })
  .meta({ id: "AcknowledgementOverviewPerson" });
export type OverviewPerson = z.output<typeof OverviewPerson>;

export const AcknowledgementOverview = z
  .object({
    /** The counts cover all people and SOPs that match the team, the category and the search. */
    counts: z.object({
      late: z.int(),
      due: z.int(),
      /** The latest due day of confirmations that are still due, `YYYY-MM-DD`; null without such a day. */
      dueBy: z.string().nullable(),
      /** People with overdue confirmations who can get a reminder now. */
      toRemind: z.int(),
    }),
    /** SOPs with overdue readers come first. */
    sops: z.array(z.object({ id: Id, number: z.string(), title: z.string(), version: z.int() })),
    /** The number of matching SOPs that `sops` leaves out. */
    moreSops: z.int(),
    /** People by team; in each team, people with the most overdue confirmations come first. */
    people: z.array(OverviewPerson),
    nextCursor: z.string().optional(),
  })
  .meta({ id: "AcknowledgementOverview" });
export type AcknowledgementOverview = z.output<typeof AcknowledgementOverview>;

/**
 * Reminds the named people of all that they still have to confirm; without names, all people with overdue
 * confirmations. The filters are those of the overview.
 */
export const RemindBody = z
  .strictObject({
    ...about,
    userIds: z.array(id).min(1).max(limits.audienceUsers).optional(),
    /** Reminds people of this SOP alone. */
    sopId: id.optional(),
  })
  .meta({ id: "RemindReaders" });
export type RemindBody = z.output<typeof RemindBody>;

/** The number of people who got a reminder, and of people who already had one today. */
export const Reminded = z.object({ reminded: z.int(), already: z.int() }).meta({ id: "RemindedReaders" });
