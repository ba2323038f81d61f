import { describe, expect, test } from "vitest";
import { scoreCorpus, scoreOwn } from "./imperative.ts";

describe("step/imperative", () => {
  test("is right on real steps: 95 of 100 warnings, 60 of 100 statements", ({ skip }) => {
    const score = scoreCorpus();
    if (score === null) skip("the corpus is not there: labelled steps were not judged");
    expect(score?.steps).toBeGreaterThanOrEqual(300);
    expect(score?.precision).toBeGreaterThanOrEqual(0.95);
    expect(score?.recall).toBeGreaterThanOrEqual(0.6);
  });

  test("is right on sentences of our own", () => {
    const score = scoreOwn();
    expect(score.steps).toBeGreaterThanOrEqual(100);
    expect(score.precision).toBeGreaterThanOrEqual(0.95);
    expect(score.recall).toBeGreaterThanOrEqual(0.6);
  });
});
