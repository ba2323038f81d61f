import { isDay } from "../../days.ts";
import type { Rule } from "../rule.ts";
import { sentences } from "#core/language/catalog.ts";

const texts = sentences("core.lint.meta/review-overdue", {
  why: "A procedure that no one has checked for years describes how the work was once done.",
  due: "The review was due on {review}",
  late: "The review comes later than {months} months after {effective}",
});

/** The periodic review is neither overdue nor later than the company's longest period. */
export const reviewOverdue: Rule = {
  id: "meta/review-overdue",
  severity: "warning",
  fixable: "no",
  source: "EPA QA/G-6 (review every 1 to 2 years); ISO 9001 §7.5.2",
  why: texts.why(),
  across: ({ file, settings, surroundings: { today }, report }) => {
    const { effective, review_by: review } = file;
    const at = file.keys.review_by;
    if (review === undefined || at === undefined || !isDay(review)) return;
    if (today !== undefined && review < today) {
      report(texts.due({ review }), at);
      return;
    }
    const months = settings.limits.reviewMonths;
    if (effective !== undefined && isDay(effective) && review > monthsAfter(effective, months))
      report(texts.late({ months, effective }), at);
  },
  setting: { today: "2026-11-21" },
  good: ["---\neffective: 2026-01-01\nreview_by: 2027-12-31\n---\n", "---\ntitle: T\n---\n"],
  bad: [
    { text: "---\neffective: 2024-01-01\nreview_by: 2025-12-31\n---\n", lines: [3] },
    { text: "---\neffective: 2026-01-01\nreview_by: 2029-01-01\n---\n", lines: [3] },
  ],
};

function monthsAfter(day: string, months: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCMonth(date.getUTCMonth() + months);
  return date.toISOString().slice(0, 10);
}
