import fc from "fast-check";
import { expect, it } from "vitest";
import { searchChunksOf } from "./chunks.ts";
import { bestChunkFor, excerptAroundMatch, highlightTerms, createTermFinder } from "./highlight.ts";
import { parseQuery } from "./query.ts";

const marked = (text: string, question: string) => {
  const { ranges } = highlightTerms(text, createTermFinder(parseQuery(question)));
  return ranges.map(([start, end]) => text.slice(start, end));
};

it.each([
  ["Calibrate the balance before calibration", "calibrating", ["Calibrate", "calibration"]],
  ["Crème brûlée", "brul", ["brûlée"]],
  ["Use the lock-out device", "lockout", ["lock-out"]],
  ["Use the lockout device", "lock-out", ["lockout"]],
  ["Use the lock-out device", "lock ", ["lock"]],
  ["Nothing here", "pump", []],
  ["Check the valve-lock out there", "lock-out valve", ["valve-lock out"]],
])("marks in %j what answers %j", (text, question, words) => expect(marked(text, question)).toEqual(words));

it("marks each part of Korean text, with spaces between its words or without", () => {
  const syllables = fc.array(fc.constantFrom(..."밸브를잠그고전원을차단하십시오"), { minLength: 2, maxLength: 20 });
  const runs = fc.array(
    syllables.map((found) => found.join("")),
    { minLength: 1, maxLength: 5 },
  );
  fc.assert(
    fc.property(runs, fc.nat(), fc.nat(), fc.integer({ min: 2, max: 8 }), (words, which, from, length) => {
      const run = words[which % words.length] ?? "";
      const start = from % (run.length - 1);
      const part = run.slice(start, start + length);
      expect(marked(words.join(" "), part).some((text) => text.includes(part))).toBe(true);
    }),
    { numRuns: 500 },
  );
});

it("marks a synonym where all of its words stand one after another, and takes the step that has it", () => {
  const synonyms = [["LOTO", "lock out tag out", "isolation"]];
  const finder = createTermFinder(parseQuery("loto", { synonyms }));
  const words = (text: string) => highlightTerms(text, finder).ranges.map(([start, end]) => text.slice(start, end));
  expect(words("Log out. Then lock-out/tag-out; isolations end the LOTO.")).toEqual([
    "lock-out/tag-out",
    "isolations",
    "LOTO",
  ]);
  expect(words("Locked out, then tagged in")).toEqual([]);
  const steps = "1. Take the tag out.\n2. Log out.\n3. Lock out, tag out the pump.\n";
  expect(bestChunkFor(searchChunksOf(steps), finder)?.chunk.step).toBe("3");
});

it("shows the part around the first find, and ranges follow", () => {
  const text = `${"some long words before it ".repeat(20)}the pump stops ${"and much more after ".repeat(20)}`;
  const shown = excerptAroundMatch(highlightTerms(text, createTermFinder(parseQuery("pump"))));
  expect(shown.text.length).toBeLessThan(200);
  expect(shown.ranges.map(([start, end]) => shown.text.slice(start, end))).toEqual(["pump"]);
  expect(shown.text).toMatch(/^… .* …$/);
});

it("keeps ranges sorted, apart, and inside the text, for any text", () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom("pump", "lock-out", "é", " ", "\n", "-", "lock", "out", "日本"), { maxLength: 120 }),
      (parts) => {
        const shown = excerptAroundMatch(
          highlightTerms(parts.join(""), createTermFinder(parseQuery("pump lock-out lock 日本"))),
          60,
        );
        let at = 0;
        for (const [start, end] of shown.ranges) {
          expect(start).toBeGreaterThanOrEqual(at);
          expect(end).toBeGreaterThan(start);
          at = end;
        }
        expect(at).toBeLessThanOrEqual(shown.text.length);
      },
    ),
    { numRuns: 200 },
  );
});

it("answers with the step that says most", () => {
  const chunks = searchChunksOf("The pump.\n\n## Do\n\n1. Open the valve.\n2. Stop the pump with the valve open.\n");
  const best = bestChunkFor(chunks, createTermFinder(parseQuery("pump valve")));
  expect(best?.chunk).toEqual({
    anchor: "user-content-do",
    heading: "Do",
    step: "2",
    text: "Stop the pump with the valve open.",
  });
  for (const question of ["pump", "pump valve", "valve zebra"]) {
    const { terms } = parseQuery(question);
    const finder = createTermFinder({ terms });
    expect(bestChunkFor(chunks, finder, terms?.length)).toEqual(bestChunkFor(chunks, finder));
  }
  expect(bestChunkFor(chunks, createTermFinder(parseQuery("pump")))?.chunk.step).toBe("2");
  expect(bestChunkFor(chunks, createTermFinder(parseQuery("zebra")))).toBeNull();
});
