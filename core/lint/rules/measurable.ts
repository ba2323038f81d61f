import { measuredUnits } from "#core/text/units.ts";
import { bindsUnits } from "../declared-changes.ts";
import type { Rule, RuleContext } from "../rule.ts";
import { sentences } from "#core/language/catalog.ts";

const noBreak = "\u00a0";
const quantity = new RegExp(`(?<![\\w.,/-])([\\d][\\d.,]*)( ?)(${measuredUnits})(?![\\w/])`, "g");
const bare =
  /\b(?:heat|cool|warm|chill|preheat|incubate|freeze|spin|centrifuge|torque|tighten|pressuri[sz]e|(?:set|adjust) the (?:temperature|pressure|speed|torque|voltage|flow|timer))\b[^.;:,]{0,80}? (?:to|at|for) (\d+(?:[.,]\d+)?)(?![.,]?\d)(?=\s*(?:[.,;:]|$|and\b|then\b))/gi;

const texts = sentences("core.lint.step/measurable", {
  why: '"Heat to 80" is 80 °C to one reader and 80 °F to another. "5" at the end of a line and "mg" on the next is misread.',
  unitless: "{number} of what? Give the unit",
  breakable: "Put a no-break space between number and unit: {measure}",
});

/** Numbers in steps have a unit, and no line break separates the two. */
export const measurable: Rule = {
  id: "step/measurable",
  severity: "warning",
  fixable: "safe",
  declares: bindsUnits,
  source: "EU GMP chapter 4; SI brochure §5.4.3",
  why: texts.why(),
  create: (context) => ({
    step: ({ said, saidAt, prose }) => {
      for (const match of said.matchAll(quantity)) {
        const [measure, number = "", space = "", name = ""] = match;
        const at = saidAt + match.index;
        const after = at + number.length;
        reportBreakableSpace(
          context,
          [number, name],
          prose.offsetsInFile(at, at + measure.length),
          prose.offsetsInFile(after, after + space.length),
        );
      }
      if (!context.isEnglish) return;
      for (const match of said.matchAll(bare)) {
        const end = saidAt + match.index + match[0].length;
        const number = match[1] ?? "";
        context.report(texts.unitless({ number }), prose.offsetsInFile(end - number.length, end));
      }
    },
  }),
  good: [
    `## Procedure\n\n1. Heat to 80${noBreak}°C for 10${noBreak}min.\n2. Repeat steps 4 to 6. Spin at 15,000 x g.\n3. Run \`sleep 5min\`.\n`,
  ],
  bad: [
    { text: "## Procedure\n\n1. Heat the oven to 80.\n", lines: [3] },
    {
      text: "## Procedure\n\n1. Add 5mg of it.\n2. Heat to 80 °C.\n",
      lines: [3, 4],
      fixed: `## Procedure\n\n1. Add 5${noBreak}mg of it.\n2. Heat to 80${noBreak}°C.\n`,
    },
    {
      text: "## Procedure\n\n1. Add [25](#volume) mL of it.\n",
      lines: [3],
      fixed: `## Procedure\n\n1. Add [25](#volume)${noBreak}mL of it.\n`,
    },
  ],
};

type WordRange = { start: number; end: number };

/**
 * Reports a missing or breakable space between a number and its unit. The fix changes nothing else, such as bold marks.
 */
function reportBreakableSpace(
  { text, report }: RuleContext,
  [number, name]: [string, string],
  measure: WordRange,
  space: WordRange,
): void {
  const written = text.slice(space.start, space.end);
  if ((written !== "" && written !== " ") || text.slice(space.end, measure.end) !== name) return;
  report(texts.breakable({ measure: `${number}${noBreak}${name}` }), measure, {
    safe: true,
    edits: [{ ...space, text: noBreak }],
  });
}
