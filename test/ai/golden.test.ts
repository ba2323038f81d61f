/** The golden set: an accepted proposal never loses a figure, unit, code, link, image, warning or "must". */
import { expect, test } from "vitest";
import { parseModelAnswer, type AiProvider, type AiQuestion } from "#core/ai/provider.ts";
import { numberedBlocksOf } from "#core/ai/blocks.ts";
import { improveText, type ProposedEdit } from "#core/ai/improve.ts";
import { lostTokens, protectedTokens } from "#core/ai/protected-tokens.ts";
import { formatMarkdown } from "#core/markdown/format.ts";
import { recordFigure } from "../proof.ts";
import { golden } from "./golden.ts";

function proposing(edits: Partial<ProposedEdit>[]): AiProvider {
  const full = edits.map((edit) => ({ op: "replace", blockId: "b2", markdown: "", why: "", ...edit }));
  const ask = (question: AiQuestion<unknown>) => {
    const read = parseModelAnswer(JSON.stringify({ summary: "", edits: full }), question.answer);
    if (!read.ok) throw new Error(read.wrong);
    return Promise.resolve({
      value: read.value,
      usage: { promptTokens: 1, completionTokens: 1 },
      model: "m",
      calls: 1,
    });
  };
  return { model: "m", ask: ask as AiProvider["ask"] };
}

const base = (text: string) => formatMarkdown(`## Steps\n\n${text}\n\nThe end.\n`);
const improve = (text: string, ...edits: Partial<ProposedEdit>[]) =>
  improveText(proposing(edits), { title: "T", markdown: base(text) });

const figures = { tried: 0, taken: 0, lost: 0, lossesSeen: 0 };

test.each(golden)("$text", async ({ text, good, bad }) => {
  expect(protectedTokens(base(text)).size).toBeGreaterThan(0);
  const count = (markdown: string, taken: number, tried = 1) => {
    figures.tried += tried;
    figures.taken += taken;
    const { length } = lostTokens(base(text), markdown);
    if (taken > 0) figures.lost += length;
    return length;
  };
  for (const markdown of good) {
    const improved = await improve(text, { markdown });
    expect([markdown, improved.edits.length, count(improved.markdown, improved.edits.length)]).toEqual([
      markdown,
      1,
      0,
    ]);
  }
  for (const markdown of bad) {
    const improved = await improve(text, { markdown });
    count(improved.markdown, improved.edits.length);
    expect([markdown, improved.dropped.map(({ reason }) => reason)]).toEqual([markdown, ["loses what must stay"]]);
    expect(improved.dropped[0]?.lost.length).toBeGreaterThan(0);
    expect(improved.markdown).toBe(base(text));
    figures.lossesSeen += 1;
  }
  // all deletions and rewordings in one answer: accepted edits lose nothing
  const blocks = numberedBlocksOf(base(text)).map(({ id }) => ({ op: "delete" as const, blockId: id }));
  const wild = await improve(text, ...blocks, ...[...bad, ...good].map((markdown) => ({ markdown })));
  expect(count(wild.markdown, wild.edits.length, blocks.length + bad.length + good.length)).toBe(0);
});

test("protected tokens lost after what was taken: 0", () => {
  const { tried, taken, lost, lossesSeen } = figures;
  process.stdout.write(
    `protected tokens: ${golden.length} texts, ${tried} proposals, ${taken} taken, ${lost} tokens lost; ${lossesSeen} losses found\n`,
  );
  recordFigure({ name: "protected tokens lost after accepted proposals", value: lost, unit: "tokens", goal: "= 0" });
  recordFigure({ name: "… proposals tried", value: tried, unit: "", goal: ">= 100" });
  expect(golden.length).toBeGreaterThanOrEqual(30);
  expect([tried >= 100, taken > 30, lost]).toEqual([true, true, 0]);
});
