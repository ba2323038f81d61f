/**
 * Document control for the version shown, in addition to the row (ISO 9001 7.5: identity, approval, review, validity).
 */
import { z } from "zod";
import { Time } from "../contract/parts.ts";
import { reviewVerdicts } from "./review-verdicts.ts";

export const changeClasses = ["minor", "major"] as const;

/** Who and when, as they were at that time. Records from before usernames were kept have none. */
export const Signature = z.object({ name: z.string(), username: z.string().optional(), at: Time });

export const SopControl = z
  .object({
    owner: z.object({ name: z.string(), username: z.string().optional() }).nullable(),
    /** The author of the version shown, with the name of that time. */
    changedBy: Signature,
    changeClass: z.enum(changeClasses),
    /**
     * The effective date of the shown version, `YYYY-MM-DD`: the day chosen when it was published or scheduled. Before
     * that, the day in its text. Never later than the publication.
     */
    effective: z.string().nullable(),
    /** There, where this day is before the publication of the version, or before the version itself. */
    backdated: z.literal(true).optional(),
    /** The approvers of the version shown, with the names of that time; empty after a direct publication. */
    approvedBy: z.array(Signature),
    lastReview: Signature.extend({ verdict: z.enum(reviewVerdicts) }).nullable(),
    /** The last published version of an archived SOP. */
    lastInForce: z.int().nullable(),
  })
  .meta({ id: "SopControl" });
export type SopControl = z.output<typeof SopControl>;
