/**
 * The document control of the shown version, in addition to its row (ISO 9001 7.5: identity, approval, review,
 * validity).
 */
import { z } from "zod";
import { Time } from "../contract/parts.ts";
import { reviewVerdicts } from "./review-verdicts.ts";

export const changeClasses = ["minor", "major"] as const;

/** A person's name at the time `at`. Records from before usernames were stored have no username. */
export const Signature = z.object({ name: z.string(), username: z.string().optional(), at: Time });

export const SopControl = z
  .object({
    owner: z.object({ name: z.string(), username: z.string().optional() }).nullable(),
    /** The author of the shown version, with the name at that time. */
    changedBy: Signature,
    changeClass: z.enum(changeClasses),
    /**
     * The effective date of the shown version, `YYYY-MM-DD`: the day chosen when it was published or scheduled. Before
     * that, the day in its text. Never later than the publication.
     */
    effective: z.string().nullable(),
    /** True if this day is before the publication of the version, or before the version itself; otherwise absent. */
    backdated: z.literal(true).optional(),
    /** The approvers of the shown version, with their names at that time; empty after a direct publication. */
    approvedBy: z.array(Signature),
    lastReview: Signature.extend({ verdict: z.enum(reviewVerdicts) }).nullable(),
    /** The last published version of an archived SOP. */
    lastInForce: z.int().nullable(),
  })
  .meta({ id: "SopControl" });
export type SopControl = z.output<typeof SopControl>;
