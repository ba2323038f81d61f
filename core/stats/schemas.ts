import { z } from "zod";
import { OwedAcknowledgement } from "../acknowledgements/schema.ts";
import { Id, Time } from "../contract/parts.ts";
import { schemaGroup } from "../contract/schema.ts";

export const Stats = z
  .object({
    totalSOPs: z.int(),
    activeTeams: z.int(),
    pendingApproval: z.int(),
    aiSuggestions: z.int(),
    /** Open proposals that the user can decide about, and own ones. */
    proposals: z.int(),
  })
  .meta({ id: "Stats" });

export const Overview = z
  .object({
    /** The length of the list with this status. A published SOP with a draft of its next version is in both. */
    byStatus: z.object({ published: z.int(), scheduled: z.int(), under_review: z.int(), draft: z.int() }),
    /** The last weeks, oldest first: the Monday (`YYYY-MM-DD`, UTC), and the number of versions that took effect. */
    weeks: z.array(z.object({ from: z.string(), inForce: z.int() })),
  })
  .meta({ id: "Overview" });
export type Overview = z.output<typeof Overview>;

const Named = z.object({ id: Id, number: z.string(), title: z.string() });

/** Requests that wait for the user's approval are at `GET /api/approvals?status=pending&mine=true`. */
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
    /** Overdue first. */
    toRead: z.array(OwedAcknowledgement),
    /** The user's own SOPs, due within 30 days or overdue; `reviewBy` is `YYYY-MM-DD`; the most urgent first. */
    reviews: z.array(z.object({ sop: Named, reviewBy: z.string(), overdue: z.boolean() })),
    /** Open threads that notified the user and whose last comment is another user's, oldest first. */
    replies: z.array(z.object({ sop: Named, commentId: Id, by: z.string(), comment: z.string(), at: Time })),
    /** The user's own drafts that were never published, latest change first. */
    drafts: z.array(z.object({ sop: Named, updatedAt: Time })),
    /** For people who see all drafts of the company: what is overdue beyond their own work. */
    late: z.object({
      /** Overdue read confirmations of SOPs that the user can ask for; null: none. `most` is the SOP with most of them. */
      readings: z.object({ people: z.int(), count: z.int(), most: Named }).nullable(),
      reviews: z.array(z.object({ sop: Named, reviewBy: z.string(), owner: z.string().nullable() })),
    }),
    /** The first steps of a new company, for its administrators; null once all four are done. */
    firstSteps: z
      .object({
        sops: z.int(),
        /** Users beside the founder, and open invitations. */
        invited: z.int(),
        /** Those of them who are users. */
        joined: z.int(),
        published: z.boolean(),
        /** None is published, but one waits for its approval. */
        waits: z.boolean(),
        /** None is published or waits, but one takes effect on this day. */
        effectiveAt: Time.nullable(),
        asked: z.boolean(),
        /** The SOP that the next step is about: one that waits or takes effect later, or else the newest own draft, then the newest published SOP. */
        next: Named.nullable(),
      })
      .nullable(),
    /** For those who set up the mirror of the repository: it stopped, because the remote has other commits. */
    mirrorStopped: z.boolean(),
    /** For those who set up the company: SOPs that are left out everywhere because they can't be read. */
    unreadable: z.int(),
    /** For the same people: a restore made the company's record again, and its settings can differ. */
    settingsLost: z.boolean(),
    /** For the same people as `late`: searches of several users that still find nothing, and SOPs of users who left. */
    gaps: z.object({
      searches: z.array(
        z.object({
          words: z.string(),
          people: z.int(),
          /** Names of active users who asked for such an SOP. */
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
