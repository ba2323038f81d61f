/** How often `step/imperative` is right. The tests in test/lint assert the limits. */
import { scoreCorpus, scoreOwn, type Score } from "../test/lint/imperative.ts";
import { round, type Figure } from "./figure.ts";

export function run(): Promise<readonly Figure[]> {
  const real = scoreCorpus();
  if (real === null) console.error("imperative: the corpus is not there, its steps are left out");
  return Promise.resolve([
    ...(real === null ? [] : figures("real steps", real)),
    ...figures("own sentences", scoreOwn()),
  ]);
}

function figures(of: string, { steps, statements, precision, recall }: Score): Figure[] {
  return [
    { name: `imperative, ${of}: labelled`, value: steps, unit: "steps", goal: of === "real steps" ? "≥ 300" : "≥ 100" },
    { name: `imperative, ${of}: not imperative`, value: statements, unit: "steps" },
    { name: `imperative, ${of}: precision`, value: round(precision), unit: "", goal: "≥ 0.95" },
    { name: `imperative, ${of}: recall`, value: round(recall), unit: "", goal: "≥ 0.6" },
  ];
}
