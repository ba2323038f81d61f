/** Seen and ticked steps over changes of the text: what counts as read was on the screen, word for word. */
import { act, renderHook } from "@testing-library/react";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { renderSop } from "#core/steps/steps-of.ts";
import { resetBrowser } from "../../testing/render-app.tsx";
import { useStepsRun, type StepsRun } from "./use-run.ts";

afterEach(resetBrowser);

const id = "01980000-0000-7000-8000-00000000dcba";

/** Kinds of blocks around and in steps, each with a word to look for. */
const kinds = {
  paragraph: (word: string) => `Look at the ${word}.`,
  warning: (word: string) => `> [!WARNING]\n> The ${word} sprays.`,
  danger: (word: string) => `> [!DANGER]\n> ${`The ${word} crushes. `.repeat(20)}`,
  table: (word: string) => `| Part | Limit |\n|---|---|\n| ${word} | 5 bar |`,
  image: (word: string) => `![${word}](/api/assets/${"a".repeat(64)}.png)`,
  bullets: (word: string) => `- The ${word}\n- The lid`,
  code: (word: string) => `\`\`\`\nread ${word}\n\`\`\``,
  fold: (word: string) => `<details><summary>More</summary>\n\nThe ${word}.\n\n</details>`,
};
type Kind = keyof typeof kinds;

/** Places of an SOP for blocks. In `item` a block is a part of the first step. */
const places = [
  "description",
  "top",
  "scope",
  "needs",
  "before",
  "item",
  "between",
  "beforeSecond",
  "after",
  "end",
] as const;
type Place = (typeof places)[number];
interface Block {
  place: Place;
  kind: Kind;
  word: string;
}

const blocksAt = (blocks: readonly Block[], place: Place) =>
  blocks.filter((block) => block.place === place).map(({ kind, word }) => `${kinds[kind](word)}\n`);

function sopOf(blocks: readonly Block[], version: number) {
  return { id, version, content: renderSop(textOf(blocks)), description: blocksAt(blocks, "description").join("\n") };
}

function textOf(blocks: readonly Block[]): string {
  const at = (place: Place) => blocksAt(blocks, place);
  const under = (heading: string, place: Place) => (at(place).length === 0 ? [] : [`## ${heading}\n`, ...at(place)]);
  return [
    ...at("top"),
    ...under("Scope", "scope"),
    ...under("Equipment", "needs"),
    "## Procedure\n",
    ...at("before"),
    "1. Press the start key.\n",
    ...at("item").map((block) => block.replaceAll(/^(?=.)/gm, "   ")),
    "2. Read the display.\n",
    ...at("between"),
    "## Procedure of the second machine\n",
    ...at("beforeSecond"),
    "3. Press the stop key.\n",
    ...at("after"),
    ...under("References", "end"),
  ].join("\n");
}

const block = (word: string) =>
  fc
    .record({ place: fc.constantFrom(...places), kind: fc.constantFrom(...(Object.keys(kinds) as Kind[])) })
    .map((one): Block => ({ ...one, word }));
const texts = fc
  .array(fc.constantFrom("valve", "mill", "lever", "pump", "oven"), { maxLength: 4 })
  .chain((words) => fc.tuple(...[...new Set(words)].map(block)));

const moves = ["next", "back", "tick", "open", "reload"] as const;
const moveLists = fc.array(fc.constantFrom(...moves), { maxLength: 14 });

/** A reader in front of the hook, who notes the words of each screen. */
function startReader(blocks: readonly Block[], userId = "user-1") {
  let sop = sopOf(blocks, 1);
  const open = () => renderHook((latest: typeof sop) => useStepsRun(latest, -1, userId), { initialProps: sop });
  let hook = open();
  const read = new Set<string>();
  const run = (): StepsRun => hook.result.current;
  const screenAt = (at: number): string => {
    const step = run().steps[at];
    if (step === undefined) return at < 0 ? run().needs : "";
    return [step.section, step.earlier, step.warnings, step.before, step.item, step.after].join("\n");
  };
  const look = () => {
    if (run().newer === null) read.add(screenAt(run().at));
  };
  look();
  return {
    run,
    screenAt,
    hasRead: (words: string) => [...read].some((screen) => screen.includes(words)),
    hasReadScreen: (screen: string) => read.has(screen),
    does(move: (typeof moves)[number]): void {
      if (move === "open") {
        act(() => run().openLeftOut());
        read.add(run().leftOut.html);
      } else if (move === "reload") {
        hook.unmount();
        hook = open();
      } else {
        act(() => (move === "tick" ? run().tick() : run().goTo(run().at + (move === "next" ? 1 : -1))));
      }
      look();
    },
    getsVersion(next: readonly Block[]): void {
      sop = sopOf(next, sop.version + 1);
      hook.rerender(sop);
    },
    goesOn(withTicks: boolean): void {
      if (run().newer === null) return;
      act(() => run().continueWithLatest(withTicks));
      look();
    },
  };
}

const isAllRead = (run: StepsRun) => run.newer === null && run.isAllSeen && run.isLeftOutSeen;

describe("a run over a new version", () => {
  it("counts a text as seen only after each of its words was on the screen", () => {
    let ends = 0;
    fc.assert(
      fc.property(
        texts,
        moveLists,
        fc.boolean(),
        texts,
        fc.boolean(),
        moveLists,
        (first, before, isReloaded, second, withTicks, after) => {
          localStorage.clear();
          const reader = startReader(first);
          const check = (blocks: readonly Block[]) => {
            const run = reader.run();
            if (run.newer !== null) return;
            for (const at of run.steps.keys())
              if (run.isDone(at)) expect(reader.hasReadScreen(reader.screenAt(at))).toBe(true);
            if (!isAllRead(run)) return;
            ends++;
            for (const { word } of blocks) expect(reader.hasRead(word), word).toBe(true);
          };
          for (const move of before) {
            reader.does(move);
            check(first);
          }
          reader.getsVersion(second);
          if (isReloaded) reader.does("reload");
          reader.goesOn(withTicks);
          check(second);
          for (const move of [...after, "open", "next", "next", "next", "next"] as const) {
            reader.does(move);
            check(second);
          }
        },
      ),
      { numRuns: 50 },
    );
    expect(ends).toBeGreaterThan(20);
  });

  it.each(places.flatMap((place) => (Object.keys(kinds) as Kind[]).map((kind): [Kind, Place] => [kind, place])))(
    "shows a new %s at the place '%s' before it counts as seen",
    (kind, place) => {
      const reader = startReader([]);
      for (const move of ["tick", "tick"] as const) reader.does(move);
      reader.getsVersion([{ place, kind, word: "chlorine" }]);
      reader.does("reload");
      reader.goesOn(true);
      for (let times = 0; times < 6; times++) {
        if (isAllRead(reader.run())) expect(reader.hasRead("chlorine")).toBe(true);
        reader.does("tick");
      }
      // back over all screens, and into the sections that no step shows
      for (let times = 0; times < 6; times++) reader.does("back");
      reader.does("open");
      expect([isAllRead(reader.run()), reader.hasRead("chlorine")]).toEqual([true, true]);
    },
  );

  it("keeps the ticks of steps whose screens are the same", () => {
    const reader = startReader([]);
    for (const move of ["tick", "tick"] as const) reader.does(move);
    reader.getsVersion([{ place: "before", kind: "paragraph", word: "chlorine" }]);
    reader.goesOn(true);
    expect([0, 1, 2].map(reader.run().isDone)).toEqual([false, true, false]);
    expect(reader.run().at).toBe(0);
  });

  it("goes on at what one needs, and from there at the first open step", () => {
    const needs = (word: string): Block => ({ place: "needs", kind: "bullets", word });
    const reader = startReader([needs("gloves")]);
    for (const move of ["tick", "tick"] as const) reader.does(move);
    reader.getsVersion([needs("mask")]);
    reader.goesOn(true);
    expect([reader.run().at, reader.hasRead("mask")]).toEqual([-1, true]);
    reader.does("tick");
    expect(reader.run().at).toBe(1);
  });
});

it("gives a second user of the browser none of the first one's ticks, and keeps them for the first", () => {
  const first = startReader([], "user-1");
  for (const move of ["tick", "tick"] as const) first.does(move);
  const second = startReader([], "user-2");
  expect([second.run().doneCount, second.run().at, second.run().isAllSeen]).toEqual([0, 0, false]);
  for (const move of ["next", "next", "next", "back", "back"] as const) second.does(move);
  second.does("tick");
  expect(startReader([], "user-1").run().doneCount).toBe(2);
  expect(startReader([], "user-2").run().doneCount).toBe(1);
});

describe("the description", () => {
  const at = (place: Place, kind: Kind, word: string): Block => ({ place, kind, word });

  it("is the beginning of what one needs", () => {
    const { needs, leftOut } = startReader([
      at("description", "fold", "chlorine"),
      at("needs", "bullets", "gloves"),
    ]).run();
    expect(needs).toMatch(/^<p>&lt;details&gt;.*chlorine/s);
    expect(needs).toContain("gloves");
    expect(leftOut.html).toBe("");
  });

  it("is shown before the first step if it names a hazard", () => {
    const { needs, at: place } = startReader([at("description", "danger", "chlorine")]).run();
    expect([needs.includes("chlorine"), place]).toEqual([true, -1]);
  });

  it("is otherwise the first section that the steps leave out", () => {
    const { needs, leftOut } = startReader([
      at("description", "paragraph", "lid"),
      at("end", "paragraph", "book"),
    ]).run();
    expect(needs).toBe("");
    expect(leftOut.html).toMatch(/^<p>Look at the lid\./);
    expect(leftOut.sections[0]).toEqual({ title: "", beginning: "Look at the lid." });
  });
});
