import { expect, test } from "vitest";
import { presets } from "#core/lint/presets.ts";
import { largeCorpus } from "../corpus.ts";
import { precisionOfRules } from "./rule-precision.ts";

test.skipIf(largeCorpus === null)("rules of `recommended` are right in 9 of 10 judged issues", () => {
  const measured = precisionOfRules();
  expect(measured.reduce((sum, { judged }) => sum + judged, 0)).toBeGreaterThan(200);
  const wrong = measured.filter(({ rule, precision }) => precision < 0.9 && rule in presets.recommended.rules);
  expect(wrong).toEqual([]);
  for (const { rule, precision } of measured)
    if (precision < 0.9) expect(Object.keys(presets.regulated.rules)).toContain(rule);
});
