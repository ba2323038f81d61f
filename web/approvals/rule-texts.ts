import type { ApprovalRule } from "#core/companies/settings.ts";

/** When a request is met; the company's form and its categories' say it in the same words. */
export const ruleTexts = {
  label: "An SOP is approved when",
  kinds: {
    all: "All chosen approvers have approved",
    any: "One of them has approved",
    n_of_m: "A number of them have approved",
  } satisfies Record<ApprovalRule["kind"], string>,
  count: "How many",
  countHint: "A request must name at least this many people.",
} as const;
