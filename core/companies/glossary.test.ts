import fc from "fast-check";
import { expect, it } from "vitest";
import { glossaryRowProblem, glossaryLimits, readGlossary, writeGlossary } from "./glossary.ts";

it("is a row a line, words between commas, without blanks and repetitions", () => {
  const { rows, faults } = readGlossary(
    " PPE , protective  equipment,safety gear,\n\n  LOTO; lock out tag out, loto\n",
  );
  expect(rows).toEqual([
    ["PPE", "protective equipment", "safety gear"],
    ["loto", "lock out tag out"],
  ]);
  expect(faults).toEqual([]);
  expect(readGlossary(writeGlossary(rows)).rows).toEqual(rows);
});

it("says which line is wrong, and why", () => {
  const many = Array.from({ length: 11 }, (_, index) => `w${index}`).join(",");
  const messages = (text: string) => readGlossary(text).faults.map(({ message }) => message.text);
  expect(messages(`a, b\nalone\n${many}\nx, ${"y".repeat(61)}\nz, %%`)).toEqual([
    "Line 2: write at least two words that mean the same",
    "Line 3: at most 10 words mean the same",
    "Line 4: “yyyyyyyyyyyyyyyyyyyy…” is longer than 60 characters",
    "Line 5: “%%” has neither letter nor digit",
  ]);
  expect(messages("a, b\n".repeat(201))).toEqual(["At most 200 lines"]);
});

it("reads any text, and what it finds nothing wrong with keeps every limit", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 200 }), (text) => {
      const { rows, faults } = readGlossary(text);
      if (faults.length === 0) expect(rows.map(glossaryRowProblem).filter((fault) => fault !== null)).toEqual([]);
      expect(rows.length).toBeLessThanOrEqual(Math.max(glossaryLimits.rows, text.length));
    }),
    { numRuns: 100 },
  );
});
