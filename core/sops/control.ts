/** What document control says of the version shown, beside the row (ISO 9001 7.5: identity, approval, review, validity). */
import { z } from "zod";
import { Time } from "../contract/parts.ts";
import { reviewVerdicts } from "../reviews/schema.ts";

export const changeClasses = ["minor", "major"] as const;

/** A name with a time, as in a signature. */
export const Signature = z.object({ name: z.string(), at: Time });

export const SopControl = z
  .object({
    owner: z.object({ name: z.string() }).nullable(),
    /** Who wrote the version shown, as printed then. */
    changedBy: Signature,
    changeClass: z.enum(changeClasses),
    /** The day set in the file of the shown version: `YYYY-MM-DD`. */
    effective: z.string().nullable(),
    /** Who approved the version shown, as printed then; empty when it was published directly. */
    approvedBy: z.array(Signature),
    lastReview: Signature.extend({ verdict: z.enum(reviewVerdicts) }).nullable(),
    /** The last published version of an archived SOP. */
    lastInForce: z.int().nullable(),
  })
  .meta({ id: "SopControl" });
export type SopControl = z.output<typeof SopControl>;
