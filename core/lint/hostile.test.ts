import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lintFile, type LintOptions } from "./engine.ts";
import { lintAndFix } from "./fix.ts";
import type { Finding } from "./finding.ts";
import { rules } from "./rules/index.ts";
import { isTreeKept } from "./safe-fix.ts";

const ruleIds = ["suppress/unused", ...rules.map(({ id }) => id)];

const options: LintOptions = { path: "sops/it/a.md", preset: "recommended", settings: { terms: { utilize: "use" } } };

/** Parts of SOPs, and texts that break parsers. */
const piece = fc.constantFrom(
  "## Procedure\n\n",
  "# T\n\n",
  "#### Deep\n\n",
  "Purpose\n===\n\n",
  "1. Open it and close the lid.\n",
  "3. **Operator:** You should utilize 5mg.\n",
  "   1. Turn\n      it 5 &nbsp;ml\n",
  "- [ ] Check it as needed\n",
  "> [!Warning]\n> Hot.\n\n",
  "| a | b |\n| --- | --- |\n| KPI | [x](#nowhere) |\n\n",
  "![](x.png) <span>é</span> \\* &amp; SOP-0042\n\n",
  "<!-- sop-disable-next-line step/length nope -- because -->\n",
  "TODO [insert name] The valve is opened.\n\n",
  "---\n",
  "\n",
  "\r\n",
  "\t",
  "  ",
  "\u0000",
  "🧯 ",
  "[l]: <a b.md>\n",
  "password: Tr0ub4dor3x\n",
);
const head = fc.constantFrom(
  "",
  '---\ntitle: "T"\n---\n\n',
  "---\ntitle: T\neffective: 2026/1/2\nreview_by: 2 May 2027\nlang: de\n---\n",
  '---\r\nsop: "SOP-1"\r\nreview_by: "2026.1.2"\r\n---\r\n\r\n',
  "\uFEFF---\neffective: 2026/1/2\n---\n",
);
const text = fc.tuple(head, fc.array(piece, { maxLength: 25 })).map(([front, pieces]) => front + pieces.join(""));

function isInside(source: string, { line, column, endLine, endColumn }: Finding): boolean {
  const lines = source.replace(/^\uFEFF/, "").split("\n");
  const ends = line < endLine || (line === endLine && column <= endColumn);
  return ends && column >= 1 && column <= (lines[line - 1] ?? "").length + 1 && endLine <= lines.length;
}

describe("any text", () => {
  it("is judged in place, and its safe fixes come to an end", () => {
    fc.assert(
      fc.property(text, (source) => {
        const { findings } = lintFile(source, options);
        for (const finding of findings) expect(isInside(source, finding), JSON.stringify(finding)).toBe(true);
        const fixed = lintAndFix(source, options);
        expect(fixed.findings.filter(({ fix }) => fix?.safe)).toEqual([]);
        expect(lintAndFix(fixed.text, options)).toMatchObject({ text: fixed.text, fixed: 0 });
        if (fixed.fixed > 0) expect(isTreeKept(source, fixed.text, ruleIds), JSON.stringify(source)).toBe(true);
      }),
      { numRuns: 150 },
    );
  });

  it("is safe from unsafe fixes too: they keep it readable", () => {
    fc.assert(
      fc.property(text, (source) => {
        const { findings } = lintAndFix(source, options, true);
        const before = lintFile(source, options).findings.filter(({ rule }) => rule.startsWith("parse/"));
        expect(findings.filter(({ rule }) => rule.startsWith("parse/"))).toEqual(before);
      }),
      { numRuns: 50 },
    );
  });
});

it("counts a byte order mark once where findings share a fix", () => {
  const source = "\uFEFF---\ntitle: A\n---\n# T\n\n# T\n";
  expect(lintAndFix(source, { ...options, preset: "minimal" }, true).text).toMatch(
    /^\uFEFF---\n(?:.*\n)*## T\n\n## T\n/,
  );
});

describe("texts made to keep a rule busy", () => {
  const steps = (step: string): string => `## Procedure\n\n1. ${step}\n`;
  it.each([
    ["spaces", steps(`Open${" ".repeat(50_000)}it`)],
    ["capitals", `${"AB ".repeat(20_000)}\n`],
    ["open brackets of words", `${"a (".repeat(900)} KPI\n`],
    ["quotes", `${'"'.repeat(30_000)} KPI\n`],
    ["joints", steps("Open it and ".repeat(5_000))],
    ["commas", steps(`If it, ${"when it, ".repeat(5_000)}`)],
    ["numbers", steps("1.".repeat(30_000))],
    ["units", steps("5 ".repeat(30_000))],
    ["words without an end", steps("heat ".repeat(20_000))],
    ["one long word", `${"e".repeat(100_000)}\n`],
    ["vowels and hyphens", `${"re-".repeat(30_000)}d ${"word ".repeat(50)}\n`],
    ["a heading of ands", `## ${"and ".repeat(20_000)}\n`],
    ["a heading of dots", `## ${"1.".repeat(30_000)} x\n`],
    ["assignments", `${"password: ".repeat(10_000)}\n`],
    ["blank quote lines", `<!-- sop-disable-next-line x -->\n${"> \n".repeat(2_000)}`],
    ["labels", steps(`${"a ".repeat(30_000)}: b`)],
    ["stops", `${"a. ".repeat(30_000)}\n`],
    ["marks", steps(`${"!".repeat(60_000)} x`)],
  ])("%s", (_, source) => {
    // About 10 ms each in linear time, minutes otherwise: the runner's own limit tells them apart.
    expect(lintFile(source, { ...options, preset: "regulated" }).findings).toBeInstanceOf(Array);
  });
});
