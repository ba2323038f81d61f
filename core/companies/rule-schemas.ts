/** Schemas of rules that a company sets and that a category or request can override. */
import { z } from "zod";
import { limits } from "../limits.ts";
import { sentences } from "../language/catalog.ts";
import { sentenceError } from "../contract/parts.ts";

const refusals = sentences("core.companies.rule-schemas", {
  count: "Enter a number from 1 to {most}",
  wholeMonths: "Enter a whole number of months",
  leastMonths: "Review after at least 1 month",
  mostMonths: "Review after at most 120 months",
  wholeDays: "Whole days",
  leastDays: "At least 1 day",
  mostDays: "At most {most} days",
});

const kind = z.enum(["all", "any", "n_of_m"]);

export const ApprovalRule = z.object({ kind, count: z.int().nullable() });

export const ApprovalRuleAsk = z
  .strictObject({ kind, count: z.int().nullish() })
  .transform(({ kind: chosen, count }) => ({ kind: chosen, count: chosen === "n_of_m" ? (count ?? 0) : null }))
  .refine(
    (rule) => rule.kind !== "n_of_m" || (rule.count !== null && rule.count >= 1 && rule.count <= limits.approvers),
    {
      ...sentenceError(() => refusals.count({ most: limits.approvers })),
      path: ["count"],
    },
  );

export const reviewMonths = z
  .int(sentenceError(refusals.wholeMonths))
  .min(1, sentenceError(refusals.leastMonths))
  .max(120, sentenceError(refusals.mostMonths));

/** The number of days in which to confirm reading. */
export const dueDays = z
  .int(sentenceError(refusals.wholeDays))
  .min(1, sentenceError(refusals.leastDays))
  .max(
    limits.dueDays,
    sentenceError(() => refusals.mostDays({ most: limits.dueDays })),
  );
