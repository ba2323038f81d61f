/** Files for the linter's benches: the corpora, and generated SOPs up to the number. */
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { corpusFiles } from "../test/corpus.ts";

/** @returns the number of files from the corpus */
export function writeFiles(folder: string, count: number): number {
  const files = corpusFiles(".md").slice(0, count);
  for (const { name, path } of files) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    cpSync(path, join(folder, name));
  }
  writeGeneratedSops(folder, count - files.length);
  return files.length;
}

export function writeGeneratedSops(folder: string, count: number): void {
  for (let index = 0; index < count; index += 1) {
    const file = join(folder, `made-up/${Math.floor(index / 100)}/sop-${10_000 + index}.md`);
    if (index % 100 === 0) mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, generatedSop(index));
  }
}

const verbs = ["Open", "Close", "Check", "Record", "Rinse", "Label", "Weigh", "Remove", "Attach", "Confirm"];
const things = ["the inlet valve", "the sample bottle", "the control panel", "the batch record", "the pressure gauge"];
const ends = [
  "before the next shift begins",
  "at 20 °C",
  "with a clean cloth",
  "and note the time",
  "on the form F-12",
];

/** About 5 KB, like a typical SOP: front matter, two tables, about 25 steps, links, a warning. */
export function generatedSop(index: number): string {
  const pick = (list: readonly string[], at: number) => list[(index * 7 + at * 3) % list.length] ?? "";
  const step = (at: number) => `${pick(verbs, at)} ${pick(things, at + 1)} ${pick(ends, at + 2)}.`;
  const steps = (from: number, count: number) =>
    Array.from(
      { length: count },
      (_, at) => `${at + 1}. ${step(from + at)}\n   Look for _leaks_ and **loose parts** (${at + 2} mm).`,
    );
  const row = (at: number) => `| ${pick(things, at)} | ${at + 2} bar | [form](https://example.org/forms/${at}) |`;
  const rows = Array.from({ length: 8 }, (_, at) => row(at)).join("\n");
  const table = `| Part | Limit | Record |\n|---|---|---|\n${rows}`;
  return [
    `---\ntitle: "Service line ${index}"\ndescription: "How to service line ${index} of the plant."\nowner: "ann"\neffective: 2026-01-01\nreview_by: 2027-06-30\n---`,
    `## Purpose\n\nThis procedure keeps line ${index} in order. The operators of the line follow it each week and record what they did.`,
    "## Scope\n\nAll operators of the plant. Contractors follow it under supervision.",
    `## Responsibilities\n\n- Operator: carries out the steps\n- Supervisor: signs the record\n\n${table}`,
    `## Procedure\n\n> [!WARNING]\n> Hot surfaces. Wear gloves before you touch the line.\n\n${steps(0, 13).join("\n")}`,
    `### Afterwards\n\n${steps(20, 12).join("\n")}`,
    `## Records\n\n${table}\n\nKeep the form for five years in the archive of the plant.`,
  ]
    .join("\n\n")
    .concat("\n");
}
