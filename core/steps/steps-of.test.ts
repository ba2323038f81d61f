import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { renderWithTree, renderHtml } from "#core/markdown/render.ts";
import { sopTexts } from "../../test/corpus.ts";
import { renderSop, stepsOfTree } from "./steps-of.ts";

const stepsIn = (markdown: string) => stepsOfTree(renderWithTree(markdown).tree());
const idsIn = (markdown: string) => stepsIn(markdown).map(({ id }) => id);
const procedure = (...items: string[]) => `## Procedure\n\n${items.map((item, at) => `${at + 1}. ${item}\n`).join("")}`;

describe("the steps of a version", () => {
  it("have numbers, words, sections, warnings, check boxes and ids", () => {
    const text =
      "> [!DANGER]\n> Acid\n\n## Steps\n\n### Rinse it\n\n4. Open *it*\n   - [ ] Left\n   - [x] Right\n\n     > [!NOTICE]\n     > Soft\n5. Rinse\n\n### Dry\n\n> [!CAUTION]\n> Hot\n\n- [ ] Wipe\n- [ ] Look\n\n   > [!WARNING]\n   > Steam\n\n### End\n\n1. Close\n";
    const steps = stepsIn(text).map(({ number, text: words, section, sectionId, warnings, checks }) => ({
      number,
      text: words,
      section,
      sectionId,
      warnings,
      checks,
    }));
    const [rinse, dry] = [
      { section: "Rinse it", sectionId: "user-content-rinse-it" },
      { section: "Dry", sectionId: "user-content-dry" },
    ];
    const danger = "Danger Acid";
    const checks = ["Left", "Right Notice Soft"];
    expect(steps).toEqual([
      { ...rinse, number: 4, text: "Open it Left Right Notice Soft", warnings: [danger], checks },
      { ...rinse, number: 5, text: "Rinse", warnings: [danger], checks: [] },
      { ...dry, number: null, text: "Wipe", warnings: [danger, "Caution Hot"], checks: ["Wipe"] },
      {
        ...dry,
        number: null,
        text: "Look Warning Steam",
        warnings: [danger, "Caution Hot", "Warning Steam"],
        checks: ["Look Warning Steam"],
      },
      {
        section: "End",
        sectionId: "user-content-end",
        number: 1,
        text: "Close",
        warnings: [danger],
        checks: [],
      },
    ]);
  });

  it("have ids in the view, which is the same otherwise", () => {
    const text = procedure("Open", "Close<br>it", "Open");
    const [open = "", close = ""] = idsIn(text);
    const html = renderSop(text);
    expect(html).toContain(`<li id="user-content-step.${open}">Open</li>`);
    expect(html).toContain(`<li id="user-content-step.${close}">Close<br>it</li>`);
    expect(html).toContain(`<li id="user-content-step.${open}-2">Open</li>`);
    expect(html.replaceAll(/ id="user-content-step\.[\w-]+"/g, "")).toBe(renderHtml(text));
  });

  it("keep the ids that links and ticks of today have", () => {
    expect(idsIn(procedure("Tighten the wingnut.", "Übergib die Schlüssel 🔑"))).toEqual(["1p07x51p541", "psusuzadqp"]);
  });
});

describe("the id of a step", () => {
  const marks = ["*", "**", ""];
  const word = fc.constantFrom(..."open close valve 5 °C → ≤ never Öl 弁 wingnut left ½ a_b".split(" "));
  const words = fc.array(word, { minLength: 1, maxLength: 5 }).map((all) => all.join(" "));
  const nested = fc.array(words, { maxLength: 2 });
  const item = fc.tuple(words, nested, fc.constantFrom(...marks));
  const items = fc.uniqueArray(item, {
    minLength: 2,
    maxLength: 6,
    selector: ([first, inner]) => [first, ...inner].join(" "),
  });
  const written = ([first, inner, mark]: [string, string[], string], loose: boolean) =>
    [`${mark}${first}${mark}`, ...inner.map((one) => `    - ${one}`)].join(loose ? "\n\n" : "\n");
  const textOfAll = (all: [string, string[], string][], { start = 1, head = "Procedure", loose = false } = {}) =>
    `## ${head}\n\nText[^a]\n\n${all.map((one, at) => `${start + at}. ${written(one, loose)}\n`).join("")}\n[^a]: Note\n`;

  it("stays when other steps, headings, numbers, marks or space change", () => {
    const check = (all: [string, string[], string][], other: string, at: number, start: number, loose: boolean) => {
      const kept = idsIn(textOfAll(all));
      expect(new Set(kept).size).toBe(all.length);
      const place = at % all.length;
      const rest = all.filter((_, index) => index !== place);
      const without = kept.filter((_, index) => index !== place);
      // removed, moved, changed, added
      expect(idsIn(textOfAll(rest))).toEqual(without);
      const moved = [...rest, all[place] as (typeof all)[number]];
      expect(idsIn(textOfAll(moved))).toEqual([...without, kept[place]]);
      const changed = all.with(place, [`${other} new`, [], ""]);
      const ids = idsIn(textOfAll(changed));
      expect(ids.filter((_, index) => index !== place)).toEqual(without);
      expect(kept).not.toContain(ids[place]);
      const added = all.toSpliced(place, 0, [`${other} new`, [], ""]);
      expect(idsIn(textOfAll(added)).filter((_, index) => index !== place)).toEqual(kept);
      // around them
      expect(idsIn(textOfAll(all, { start: start + 1, head: "Steps", loose }))).toEqual(kept);
      const plain = all.map(([first, inner]): [string, string[], string] => [first, inner, ""]);
      expect(idsIn(textOfAll(plain))).toEqual(kept);
    };
    fc.assert(fc.property(items, words, fc.nat(5), fc.nat(40), fc.boolean(), check), { numRuns: 50 });
  });

  it.each([
    ["a word", "Open the valve", "Open the cock"],
    ["a sign", "Set to +5", "Set to -5"],
    ["a limit", "Hold ≤ 5 °C", "Hold ≥ 5 °C"],
    ["the case", "Press stop", "Press STOP"],
    ["a step of it", "Open\n   1. Left", "Open\n   1. Right"],
    ["the grade of its warning", "Open\n\n   > [!CAUTION]\n   > Hot", "Open\n\n   > [!DANGER]\n   > Hot"],
    ["its image", `Look ![Seal](/api/assets/${"a".repeat(64)}.png)`, `Look ![Seal](/api/assets/${"b".repeat(64)}.png)`],
  ])("changes with %s", (_, before, after) => {
    expect(idsIn(procedure(before, "Wait"))[0]).not.toBe(idsIn(procedure(after, "Wait"))[0]);
  });

  it("stays when a footnote above it comes or goes", () => {
    const text = (above: string) => `${above}\n\n${procedure("Open it[^b]")}\n[^a]: One\n[^b]: Two\n`;
    expect(idsIn(text("Note[^a]"))).toEqual(idsIn(text("Note")));
  });

  it("counts equal steps, so that another one between them changes none", () => {
    const [first, second] = idsIn(procedure("Wait", "Wait"));
    expect(second).toBe(`${first}-2`);
    expect(idsIn(procedure("Wait", "Open", "Wait")).filter((_, at) => at !== 1)).toEqual([first, second]);
  });

  it("is never the author's", () => {
    const html = renderSop(`<ol><li id="user-content-step.x">Open</li></ol>\n`);
    expect(html).toContain(`<li id="user-content-step.${idsIn(procedure("Open")).join()}">Open</li>`);
  });
});

it("each step of a real text has an id of its own, and keeps it below another section", () => {
  const taken = { steps: 0, kept: 0 };
  for (const body of sopTexts({ oneIn: 200 })) {
    const steps = stepsIn(body);
    taken.steps += steps.length;
    expect(new Set(steps.map(({ id }) => id)).size).toBe(steps.length);
    expect(renderSop(body).split(' id="user-content-step.').length - 1).toBe(steps.length);
    const moved = stepsIn(`## Before all\n\nText.\n\n${body}`);
    if (moved.length !== steps.length) continue;
    expect(moved.map(({ id }) => id)).toEqual(steps.map(({ id }) => id));
    taken.kept += steps.length;
  }
  expect(taken.steps).toBeGreaterThan(900);
  expect(taken.kept).toBeGreaterThan(taken.steps / 2);
});

it.each(["Emergency", "Erste Hilfe", "Contatti", "Équipement"])(
  "a list of %s above a real text is no step",
  (title) => {
    let count = 0;
    for (const text of sopTexts({ oneIn: 100 })) {
      // a text can begin without a heading
      const body = `## Work\n\n${text}`;
      const steps = idsIn(body);
      count += steps.length;
      if (steps.length === 0) continue;
      expect(idsIn(`## ${title}\n\n1. One of these\n2. Another of these\n\n${body}`)).toEqual(steps);
    }
    expect(count).toBeGreaterThan(900);
  },
);
