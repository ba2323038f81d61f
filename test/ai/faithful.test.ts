/** The lists of `test/ai/texts`, and properties over generated texts: AI changes no meaning without a mark. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { meaningChangesBetween, textOfMeaningChange } from "#core/ai/changes.ts";
import { recordFigure } from "../proof.ts";
import {
  aiFigures,
  damageUnseen,
  damagingLists,
  draftDifferences,
  draftLists,
  goodLists,
  goodMarked,
  pairsOf,
} from "../faithful/ai.ts";

test.each(damagingLists)("no edit of %s comes without a mark", (file) => {
  expect(damageUnseen(file).wrong).toEqual([]);
});

test.each(draftLists)("each difference of %s is a blank, a task or a refusal", (file) => {
  const { unmarked, needless } = draftDifferences(file);
  expect([unmarked, needless]).toEqual([[], []]);
});

test("a mark names what changes", () => {
  const first = pairsOf("damaging-edits.txt")[0];
  const marks = meaningChangesBetween(first?.before ?? "", first?.after ?? "").map(textOfMeaningChange);
  expect(marks).toEqual(["unit mL → L"]);
});

test("few good edits are marked, and the lists are long enough", () => {
  const good = goodLists.map(goodMarked);
  const tried = good.reduce((sum, one) => sum + one.tried, 0);
  const wrong = good.flatMap((one) => one.wrong);
  expect(wrong.length / tried).toBeLessThanOrEqual(0.05);
  for (const { name, value, of, goal } of aiFigures()) {
    process.stdout.write(`${name}: ${value} of ${of}\n`);
    recordFigure({
      name,
      value: goal.endsWith("%") ? (100 * value) / of : value,
      unit: goal.endsWith("%") ? "%" : "",
      goal,
    });
  }
  const sizes = aiFigures().map(({ of }) => of);
  expect(sizes.map((size, at) => size >= ([600, 350, 150][at] ?? 0))).toEqual([true, true, true]);
});

const units = "mL L µL mg g kg mmHg kPa bar °C °F min h s kWh kJ IU mmol/L mg/dL EUR USD rpm lux ppb".split(" ");
const amount = fc.record({ number: fc.integer({ min: 2, max: 5000 }), unit: fc.constantFrom(...units) });
const words = fc.constantFrom(
  "Fill the tank with",
  "Heat the plate to",
  "Set the limit to",
  "Stir the mix with",
  "Wait for",
);
const sentence = fc.record({ words, amount });
const written = ({
  words: lead,
  amount: { number, unit },
}: {
  words: string;
  amount: { number: number; unit: string };
}) => `${lead} ${number} ${unit}.`;

test("any other figure, unit or order of them is marked, and the same text is not", () => {
  fc.assert(
    fc.property(fc.array(sentence, { minLength: 1, maxLength: 5 }), fc.nat(), amount, (sentences, place, other) => {
      const text = (list: typeof sentences) => list.map((one, at) => `${at + 1}. ${written(one)}`).join("\n");
      const at = place % sentences.length;
      const changed = sentences.map((one, index) => (index === at ? { ...one, amount: other } : one));
      const isSame = written(changed[at] ?? sentences[0]!) === written(sentences[at] ?? sentences[0]!);
      expect(meaningChangesBetween(text(sentences), text(changed), "en").length > 0).toBe(!isSame);
      const turned = sentences.toReversed();
      if (text(turned) !== text(sentences))
        expect(meaningChangesBetween(text(sentences), text(turned), "en")).not.toEqual([]);
    }),
    { numRuns: 300 },
  );
});

test("a step that goes, comes or becomes its opposite is marked", () => {
  const step = fc.constantFrom(
    "Stop the pump.",
    "Open the lid.",
    "Wash the filter.",
    "Check the lamp.",
    "Never lift it alone.",
  );
  fc.assert(
    fc.property(fc.uniqueArray(step, { minLength: 2 }), fc.nat(), (steps, place) => {
      const text = (list: readonly string[]) => list.map((one, at) => `${at + 1}. ${one}`).join("\n");
      const fewer = steps.filter((_, at) => at !== place % steps.length);
      expect(meaningChangesBetween(text(steps), text(fewer), "en")).not.toEqual([]);
      expect(meaningChangesBetween(text(fewer), text(steps), "en")).not.toEqual([]);
    }),
    { numRuns: 100 },
  );
});
