/**
 * `bench faithful`: what conversions change without a note. `faithful:html`, `:word`, `:markdown`, `:lists`, `:links`,
 * `:editor`, `:pdf` and `:ai` try generated input, `:corpus` real documents, and `:cost` the processor time of the check.
 * `SOP_BENCH_SEEDS=<number>`: inputs for each way, 5,000 by default.
 */
import { spawnSync } from "node:child_process";
import { openTypesetter } from "../server/export/typst.ts";
import { aiFigures } from "../test/faithful/ai.ts";
import { corpusNotes } from "../test/faithful/corpus.ts";
import { wordAgainDifferences, wordInDifferences, wordOutDifferences } from "../test/faithful/docx.ts";
import { frontMatterDifferences } from "../test/faithful/front-matter.ts";
import { linkFaults } from "../test/faithful/links.ts";
import { listDifferences } from "../test/faithful/lists.ts";
import { findDifferences, fixDifferences } from "../test/faithful/markdown.ts";
import { pdfDifferences } from "../test/faithful/pdf.ts";
import { cost } from "./faithful-cost.ts";
import type { Figure } from "./figure.ts";

const seeds = Number(process.env["SOP_BENCH_SEEDS"] ?? 5_000);
const pdfSeeds = Math.min(seeds, 2_000);

type Ways = Record<string, (from: number, to: number) => Promise<readonly unknown[]> | readonly unknown[]>;

/** In small steps, so that a long run keeps little in memory; the first differences go to the error output. */
async function* differences(part: string, ways: Ways, count = seeds): AsyncGenerator<Figure> {
  for (const [way, find] of Object.entries(ways)) {
    let value = 0;
    for (let from = 0; from < count; from += 50) {
      const found = await find(from, Math.min(count, from + 50));
      for (const one of found.slice(0, Math.max(0, 5 - value))) console.error(`${part} ${way}:`, one);
      value += found.length;
    }
    yield { name: `faithful.${part}: ${way}`, value, unit: `unnamed differences in ${count} inputs`, goal: "0" };
  }
}

/** Generators that need a browser's document or shrink what they find run as tests. */
function* tests(part: string, project: string, file: string): Generator<Figure> {
  const { status } = spawnSync("npx", ["vitest", "run", "--project", project, file], {
    cwd: `${import.meta.dirname}/..`,
    env: { ...process.env, FAITHFUL_SEEDS: String(seeds) },
    stdio: ["ignore", "ignore", "inherit"],
  });
  yield {
    name: `faithful.${part}`,
    value: status === 0 ? 0 : 1,
    unit: `failures of ${file}, ${seeds} inputs`,
    goal: "0",
  };
}

const parts: Record<string, () => AsyncGenerator<Figure> | Generator<Figure>> = {
  html: () => tests("html", "core", "core/markdown/html/words.test.ts"),
  editor: () => tests("editor", "web", "web/editor/faithful.test.ts"),
  markdown: () => differences("markdown", { "fmt, three readers": findDifferences, "lint --fix": fixDifferences }),
  lists: () => differences("lists", { "import and fmt": listDifferences, "front matter": frontMatterDifferences }),
  links: () => differences("links", { "folders, import and site": linkFaults }, Math.ceil(seeds / 20)),
  word: () =>
    differences("word", { in: wordInDifferences, out: wordOutDifferences, "out and in again": wordAgainDifferences }),
  async *pdf() {
    const typesetter = await openTypesetter();
    const tables = (fromRight: boolean) => (from: number, to: number) =>
      pdfDifferences(from, to - from, { typesetter, fromRight });
    yield* differences("pdf", { "tables from the left": tables(false) }, pdfSeeds);
    yield* differences("pdf", { "tables from the right": tables(true) }, Math.ceil(pdfSeeds / 10));
  },
  *ai() {
    for (const { name, value, of, goal } of aiFigures())
      yield { name: `faithful.ai: ${name}`, value, unit: `of ${of}`, goal };
  },
  *corpus() {
    for (const [name, value] of corpusNotes()) yield { name: `faithful.corpus: ${name}`, value, unit: "documents" };
  },
  cost,
};

export async function* run(wanted: readonly string[] = []): AsyncGenerator<Figure> {
  for (const [part, figures] of Object.entries(parts)) {
    if (wanted.length === 0 || wanted.includes(part)) yield* figures();
  }
}
