/** The outcome of a periodic review (`docs/life-cycle.md`). Stored only in the database. */
import { z } from "zod";
import { DayInput, Id, Time } from "../contract/parts.ts";
import { limits } from "../limits.ts";
import { reviewVerdicts } from "../sops/review-verdicts.ts";

/** `reviewBy`: the next review date of a kept SOP. If absent, the months of its category or company count. */
export const ReviewAsk = z
  .strictObject({
    verdict: z.enum(reviewVerdicts),
    note: z.string().trim().max(limits.noteCharacters).nullish(),
    reviewBy: DayInput.nullish(),
  })
  .meta({ id: "ReviewAsk" });
export type ReviewAsk = z.output<typeof ReviewAsk>;

export const Review = z
  .object({
    id: Id,
    sopId: Id,
    version: z.int(),
    verdict: z.enum(reviewVerdicts),
    /** For those who see the latest version: it may speak of a draft. */
    note: z.string().nullable(),
    /** The date that was met. */
    due: z.string().nullable(),
    /** The next date, of a kept SOP. */
    reviewBy: z.string().nullable(),
    /** As they were at the time of the outcome. */
    reviewedBy: z.object({ id: z.string(), name: z.string(), username: z.string().optional() }),
    createdAt: Time,
  })
  .meta({ id: "Review" });
export type Review = z.output<typeof Review>;
