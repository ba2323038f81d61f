/** Server and browser read the same steps: one from its tree, the other from the page. */
import { expect, it } from "vitest";
import { renderWithTree } from "#core/markdown/render.ts";
import { renderSop, stepAnchor, stepsOfTree } from "#core/steps/steps-of.ts";
import { sopTexts } from "../../../test/corpus.ts";
import { stepsOfText } from "./text-steps.ts";

const raw = `<details><summary>More</summary>\n\n## Procedure\n\n1. In it\n\n</details>\n\n## Steps\n\n<ol start="3"><li>Open<br>it</li><li>Wait</ol>\n\n1. Wait\n2. H<sub>2</sub>O ![a](/api/assets/${"a".repeat(64)}.png)\n`;
it("of real texts, and of texts with HTML", () => {
  let count = 0;
  for (const text of [raw, ...sopTexts({ oneIn: 120 })]) {
    const known = stepsOfTree(renderWithTree(text).tree());
    const seen = stepsOfText(renderSop(text));
    count += seen.length;
    const nearest = (section: string | null) => section?.split(" › ").at(-1) ?? null;
    expect(seen.map(({ id, number, section }) => [id, number, nearest(section)])).toEqual(
      known.map(({ id, number, section }) => [stepAnchor(id), number, section]),
    );
    const boxes = (html: string) => html.split("alert-title").length - 1;
    expect(seen.map(({ earlier, warnings }) => boxes(earlier) + boxes(warnings))).toEqual(
      known.map(({ warnings }) => warnings.length),
    );
  }
  expect(count).toBeGreaterThan(900);
});
