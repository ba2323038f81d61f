/** Rules that a company sets and categories or requests can override. */
import { z } from "zod";
import { limits } from "../limits.ts";

const kind = z.enum(["all", "any", "n_of_m"]);

export const ApprovalRule = z.object({ kind, count: z.int().nullable() });

export const ApprovalRuleAsk = z
  .strictObject({ kind, count: z.int().nullish() })
  .transform(({ kind: chosen, count }) => ({ kind: chosen, count: chosen === "n_of_m" ? (count ?? 0) : null }))
  .refine(
    (rule) => rule.kind !== "n_of_m" || (rule.count !== null && rule.count >= 1 && rule.count <= limits.approvers),
    {
      message: `Enter a number from 1 to ${limits.approvers}`,
      path: ["count"],
    },
  );

export const reviewMonths = z
  .int("Enter a whole number of months")
  .min(1, "Review after at least 1 month")
  .max(120, "Review after at most 120 months");

/** The number of days in which to confirm reading. */
export const dueDays = z
  .int("Whole days")
  .min(1, "At least 1 day")
  .max(limits.dueDays, `At most ${limits.dueDays} days`);
