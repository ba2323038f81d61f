import { isDay } from "../../days.ts";
import { writesDates } from "../declared-changes.ts";
import type { Rule, RuleContext } from "../rule.ts";
import type { Fix } from "../finding.ts";
import { sentences } from "#core/language/catalog.ts";

function isDate(value: unknown): value is string {
  return typeof value === "string" && isDay(value);
}

const keys = ["effective", "review_by"] as const;

const texts = sentences("core.lint.meta/dates", {
  why: "An ambiguous date, or a review before the start, hides when a version applied.",
  noDate: "{key} must be a date like 2026-12-01",
  tooEarly: "{key} must be later than effective",
});

/** Dates are ISO dates that exist, and the review comes after the effective date. */
export const dates: Rule = {
  id: "meta/dates",
  severity: "error",
  fixable: "safe",
  declares: writesDates,
  source: "21 CFR 211.186; EU GMP chapter 4",
  why: texts.why(),
  create: (context) => ({
    done() {
      const { values, placeOf, report } = context;
      for (const key of keys) {
        const value = values?.[key];
        if (value === undefined || value === null || value === "" || isDate(value)) continue;
        report(texts.noDate({ key }), placeOf(key), rewrittenDateFix(context, key, value));
      }
      const { effective, review_by: review } = values ?? {};
      if (isDate(effective) && isDate(review) && review <= effective) {
        report(texts.tooEarly({ key: "review_by" }), placeOf("review_by"));
      }
    },
  }),
  good: ["---\neffective: 2026-12-01\nreview_by: 2027-12-01\n---\n", "Text\n"],
  bad: [
    { text: "---\neffective: 01.12.2026\nreview_by: 2027-02-30\n---\n", lines: [2, 3] },
    { text: "---\neffective: 2026-12-01\nreview_by: 2026-12-01\n---\n", lines: [3] },
    {
      text: '---\neffective: 2026/12/1\nreview_by: "3 March 2028"\n---\n',
      lines: [2, 3],
      fixed: '---\neffective: "2026-12-01"\nreview_by: "2028-03-03"\n---\n',
    },
  ],
};

/** Returns the fix for a date with only one meaning: with the year first, or with the month in words. */
function rewrittenDateFix({ text, placeOf }: RuleContext, key: (typeof keys)[number], value: unknown): Fix | undefined {
  const date = typeof value === "string" ? parseUnambiguousDate(value.trim()) : undefined;
  const place = placeOf(key);
  if (date === undefined || "type" in place) return undefined;
  const [, before = "", written = ""] = /^([^:]*:[ \t]*)(.*?)[ \t]*$/.exec(text.slice(place.start, place.end)) ?? [];
  if (written.replace(/^(["'])(.*)\1$/, "$2") !== value) return undefined;
  const start = place.start + before.length;
  return { safe: true, edits: [{ start, end: start + written.length, text: `"${date}"` }] };
}

const months = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");

function parseUnambiguousDate(value: string): string | undefined {
  const yearFirst = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(value);
  if (yearFirst !== null) return isoDateOf(yearFirst[1], Number(yearFirst[2]), yearFirst[3]);
  const dayFirst = /^(\d{1,2})\.? ([A-Z][a-z]{2,8})\.?,? (\d{4})$/.exec(value);
  if (dayFirst !== null) return isoDateOf(dayFirst[3], monthNumberOf(dayFirst[2]), dayFirst[1]);
  const monthFirst = /^([A-Z][a-z]{2,8})\.? (\d{1,2}),? (\d{4})$/.exec(value);
  return monthFirst === null ? undefined : isoDateOf(monthFirst[3], monthNumberOf(monthFirst[1]), monthFirst[2]);
}

function monthNumberOf(name = ""): number {
  return months.indexOf(name.slice(0, 3).toLowerCase()) + 1;
}

function isoDateOf(year = "", month: number, day = ""): string | undefined {
  const date = `${year}-${String(month).padStart(2, "0")}-${day.padStart(2, "0")}`;
  return isDate(date) ? date : undefined;
}
