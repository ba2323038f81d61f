import { expect, it } from "vitest";
import { parseMarkdown } from "#core/markdown/parse.ts";
import { renderWithTree } from "#core/markdown/render.ts";
import { searchChunksOf } from "#core/search/chunks.ts";
import { sopTexts } from "../../test/corpus.ts";
import { stepIdOfPiece } from "./step-of-piece.ts";
import { stepsOfTree } from "./steps-of.ts";

const stepsIn = (markdown: string) => stepsOfTree(renderWithTree(markdown).tree());

it("is the step that the page shows, in real texts", () => {
  const counts = { steps: 0, found: 0 };
  for (const text of sopTexts({ oneIn: 200 })) {
    const steps = stepsIn(text);
    const pieces = searchChunksOf(text);
    const alone = pieces.filter((piece) => pieces.filter((other) => other.text === piece.text).length === 1);
    for (const piece of alone.filter(({ step }) => step !== null)) {
      const found = stepIdOfPiece(parseMarkdown(text), piece);
      const step = steps.find(({ id }) => id === found);
      if (step) expect([step.sectionId, String(step.number)]).toEqual([piece.anchor, piece.step]);
      if (step) counts.found += 1;
      else if (!/<[a-z]/i.test(text)) expect(found).toBeNull();
    }
    counts.steps += steps.filter(({ number }) => number !== null).length;
  }
  expect(counts.steps).toBeGreaterThan(700);
  expect(counts.found / counts.steps).toBeGreaterThan(0.95);
});

it.each([
  [
    "with marks, a link and an image",
    `1. **Open** [it][x] ![Seal](/api/assets/${"a".repeat(64)}.png)\n\n[x]: /sop/SOP-1\n`,
    true,
  ],
  ["with HTML", "1. Add H<sub>2</sub>O\n2. Go\n", true],
  ["with a warning and a footnote", "1. Open[^a]\n\n   > [!DANGER]\n   > Hot\n\n[^a]: Note\n", true],
  ["of a second list", "## Steps\n\n1. Go\n\nText\n\n1. Wait\n", true],
  [
    "below a warning, in a text with a check list",
    "> [!DANGER]\n> Hot\n\n## Steps\n\n- [ ] Look\n\n### Then\n\n1. Open\n",
    true,
  ],
  ["outside the procedure", "## Scope\n\n1. Mills\n\n## Procedure\n\n1. Open\n", false],
  ["that is too long to read while someone types", `1. ${"word ".repeat(2_000)}\n`, false],
])("is %s", (_, text, isFound) => {
  const numbered = searchChunksOf(text).filter(({ step }) => step !== null);
  const piece = (isFound ? numbered.at(-1) : numbered[0]) ?? { step: null, text: "" };
  const ids = stepsIn(text).map(({ id }) => id);
  const id = stepIdOfPiece(parseMarkdown(text), text.includes("Add H") ? (numbered[0] ?? piece) : piece);
  expect(id !== null && ids.includes(id)).toBe(isFound);
});
