/** `text:rules`: how often rules are right, by judged issues of the corpus (`test/lint/judged-issues.json`). */
import { largeCorpus } from "../test/corpus.ts";
import { precisionOfRules } from "../test/lint/rule-precision.ts";
import { round, type Figure } from "./figure.ts";

export function figures(): Figure[] {
  if (largeCorpus === null) {
    console.error("text: the corpus is not there, its issues are left out");
    return [];
  }
  return precisionOfRules().map(({ rule, judged, precision }) => ({
    name: `text, ${rule}: precision of ${judged}`,
    value: round(precision),
    unit: "",
    goal: "≥ 0.9 in recommended",
  }));
}
