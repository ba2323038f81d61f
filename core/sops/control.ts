/**
 * Document control for the version shown, in addition to the row (ISO 9001 7.5: identity, approval, review, validity).
 */
import { z } from "zod";
import { Time } from "../contract/parts.ts";
import { reviewVerdicts } from "../periodic-review/schema.ts";

export const changeClasses = ["minor", "major"] as const;

/** A name with a time, as in a signature. */
export const Signature = z.object({ name: z.string(), at: Time });

export const SopControl = z
  .object({
    owner: z.object({ name: z.string() }).nullable(),
    /** The author of the version shown, with the name of that time. */
    changedBy: Signature,
    changeClass: z.enum(changeClasses),
    /** The day set in the file of the shown version: `YYYY-MM-DD`. */
    effective: z.string().nullable(),
    /** The approvers of the version shown, with the names of that time; empty after a direct publication. */
    approvedBy: z.array(Signature),
    lastReview: Signature.extend({ verdict: z.enum(reviewVerdicts) }).nullable(),
    /** The last published version of an archived SOP. */
    lastInForce: z.int().nullable(),
  })
  .meta({ id: "SopControl" });
export type SopControl = z.output<typeof SopControl>;
