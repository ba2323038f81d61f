import { z } from "zod";
import { OwedAcknowledgement } from "../acknowledgements/schema.ts";
import { Id, Time } from "../contract/parts.ts";
import { schemaGroup } from "../contract/schema.ts";

const Stats = z
  .object({
    totalSOPs: z.int(),
    activeTeams: z.int(),
    pendingApproval: z.int(),
    aiSuggestions: z.int(),
    /** The number of open proposals that the user made or can decide about. */
    proposals: z.int(),
  })
  .meta({ id: "Stats" });

export const Overview = z
  .object({
    /** The number of SOPs by status. A published SOP with a draft of its next version counts for both statuses. */
    byStatus: z.object({ published: z.int(), scheduled: z.int(), under_review: z.int(), draft: z.int() }),
    /** The last weeks, oldest first: the Monday (`YYYY-MM-DD`, UTC), and the number of versions that took effect. */
    weeks: z.array(z.object({ from: z.string(), inForce: z.int() })),
  })
  .meta({ id: "Overview" });
export type Overview = z.output<typeof Overview>;

const Named = z.object({ id: Id, number: z.string(), title: z.string() });

/**
 * The user's open tasks. Requests that wait for the user's approval are at `GET
 * /api/approvals?status=pending&mine=true`.
 */
export const Needs = z
  .object({
    /** The user's requests that an approver rejected or returned for changes, without a later version; newest first. */
    returned: z.array(
      z.object({
        sop: Named,
        version: z.int(),
        outcome: z.enum(["changes_requested", "rejected"]),
        by: z.string(),
        comment: z.string().nullable(),
        at: Time,
      }),
    ),
    /** SOPs that the user has to confirm, overdue ones first. */
    toRead: z.array(OwedAcknowledgement),
    /** The user's own SOPs, due within 30 days or overdue; `reviewBy` is `YYYY-MM-DD`; the most urgent first. */
    reviews: z.array(z.object({ sop: Named, reviewBy: z.string(), overdue: z.boolean() })),
    /** Open threads that notified the user and whose last comment is another user's, oldest first. */
    replies: z.array(z.object({ sop: Named, commentId: Id, by: z.string(), comment: z.string(), at: Time })),
    /** The user's own drafts that were never published, the latest change first. */
    drafts: z.array(z.object({ sop: Named, updatedAt: Time })),
    /** Overdue work of others, for people who see all drafts of the company. */
    late: z.object({
      /**
       * Overdue read confirmations of SOPs for which the user can request them; null: none. `most` is the SOP with most
       * of them.
       */
      readings: z.object({ people: z.int(), count: z.int(), most: Named }).nullable(),
      reviews: z.array(z.object({ sop: Named, reviewBy: z.string(), owner: z.string().nullable() })),
    }),
    /** The first steps of a new company, for its administrators; null once all four are done. */
    firstSteps: z
      .object({
        sops: z.int(),
        /** The number of users besides the founder, and of open invitations. */
        invited: z.int(),
        /** The number of users besides the founder. */
        joined: z.int(),
        published: z.boolean(),
        /** True if no SOP is published, but one waits for its approval. */
        waits: z.boolean(),
        /** The day on which the first SOP takes effect, if none is published or waits for approval. */
        effectiveAt: Time.nullable(),
        asked: z.boolean(),
        /**
         * The SOP for the next step: one that waits or takes effect later, or else the newest own draft, or else the
         * newest published SOP.
         */
        next: Named.nullable(),
      })
      .nullable(),
    /**
     * True if the mirror of the repository stopped, because the remote has other commits. For users who can set up the
     * mirror.
     */
    mirrorStopped: z.boolean(),
    /**
     * The number of SOPs that are left out everywhere, because they can't be read. For users who can change the
     * company's settings.
     */
    unreadable: z.int(),
    /**
     * True if a restore recreated the company's record, so that its settings can differ. For users who can change the
     * company's settings.
     */
    settingsLost: z.boolean(),
    /** Searches of several users that still find nothing, and SOPs of users who left. For users who see `late`. */
    gaps: z.object({
      searches: z.array(
        z.object({
          words: z.string(),
          people: z.int(),
          /** The names of active users who asked for such an SOP. */
          askedBy: z.array(z.string()),
        }),
      ),
      ownerless: z.array(z.object({ sop: Named, was: z.string() })),
    }),
  })
  .meta({ id: "Needs" });
export type Needs = z.output<typeof Needs>;

export const statsSchemas = schemaGroup({
  get: { summary: "Get the dashboard's four numbers of the SOPs that you can see", output: Stats },
  overview: {
    summary: "Count the SOPs that you can see by status, and the versions published per week",
    output: Overview,
  },
  needs: {
    summary: "What needs you: sent back, to read, to review, to reply to; your drafts; what is late or missing",
    output: Needs,
  },
});
