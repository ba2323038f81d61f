import { expect, it } from "vitest";
import { sectionHeadingAt } from "./TextChecks.tsx";

it("names the heading over a line, not what looks like one in code", () => {
  const text =
    "First\n\n## Before *you* start\n\nPut on gloves.\n\n```sh\n# no heading\n```\n\n1. Go.\n\n### After ###\n";
  const at = (line: number) => sectionHeadingAt(text, line);
  expect([1, 3, 5, 8, 11, 13].map(at)).toEqual([
    null,
    "Before you start",
    "Before you start",
    "Before you start",
    "Before you start",
    "After",
  ]);
});
