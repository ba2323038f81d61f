import type { Rule } from "../rule.ts";

function isDate(value: unknown): value is string {
  if (typeof value !== "string" || !/^\d{4}-\d\d-\d\d$/.test(value)) return false;
  const date = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value);
}

/** Dates are ISO dates that exist, and the review comes after the effective date. */
export const dates: Rule = {
  id: "meta/dates",
  severity: "error",
  fixable: "no",
  source: "21 CFR 211.186; EU GMP chapter 4",
  why: "A date that can be read two ways, or a review before the start, leaves open what was in force when.",
  create: ({ values, placeOf, report }) => ({
    done() {
      const { effective, review_by: review } = values ?? {};
      for (const [key, value] of [
        ["effective", effective],
        ["review_by", review],
      ] as const) {
        if (value === undefined || value === null || value === "" || isDate(value)) continue;
        report(`${key} must be a date like 2026-12-01`, placeOf(key));
      }
      if (isDate(effective) && isDate(review) && review <= effective) {
        report("review_by must be later than effective", placeOf("review_by"));
      }
    },
  }),
  good: ["---\neffective: 2026-12-01\nreview_by: 2027-12-01\n---\n", "Text\n"],
  bad: [
    { text: "---\neffective: 01.12.2026\nreview_by: 2027-02-30\n---\n", lines: [2, 3] },
    { text: "---\neffective: 2026-12-01\nreview_by: 2026-12-01\n---\n", lines: [3] },
  ],
};
