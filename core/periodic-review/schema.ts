/** The outcome of a periodic review (`docs/life-cycle.md`). Stored only in the database. */
import { z } from "zod";
import { DayInput, Id, Time } from "../contract/parts.ts";
import { limits } from "../limits.ts";
import { reviewVerdicts } from "../sops/review-verdicts.ts";

/** `reviewBy` is the next review date of a kept SOP. If it is absent, the months of the category or company apply. */
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
    /** The note for users who see the latest version, because it may mention a draft. */
    note: z.string().nullable(),
    /** The review date that was due. */
    due: z.string().nullable(),
    /** The next review date of a kept SOP. */
    reviewBy: z.string().nullable(),
    /** The names at the time of the outcome. */
    reviewedBy: z.object({ id: z.string(), name: z.string(), username: z.string().optional() }),
    createdAt: Time,
  })
  .meta({ id: "Review" });
export type Review = z.output<typeof Review>;
