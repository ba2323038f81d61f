import fc from "fast-check";
import { expect, it } from "vitest";
import { editDistance } from "./distance.ts";

it.each([
  ["password", "password", 0],
  ["pasword", "password", 1],
  ["passsword", "password", 1],
  ["passwird", "password", 1],
  ["passwrod", "password", 1],
  ["apssword", "password", 1],
  ["pasworf", "password", 2],
])("%s → %s is %d", (typed, word, slips) => expect(editDistance(typed, word, 2).full).toBe(slips));

it("of a beginning, too", () => {
  expect(editDistance("calbira", "calibration", 2).prefix).toBe(1);
  expect(editDistance("calbira", "calibration", 2).full).toBeGreaterThan(2);
  expect(editDistance("evacaution", "evacuation", 2).prefix).toBe(1);
});

it("is the same both ways, none only for equals, and stops where it is too far", () => {
  const word = fc.string({ unit: fc.constantFrom(..."abcd"), maxLength: 8 });
  fc.assert(
    fc.property(word, word, (one, other) => {
      const slips = editDistance(one, other, 20).full;
      expect(editDistance(other, one, 20).full).toBe(slips);
      expect(slips === 0).toBe(one === other);
      expect(Math.min(editDistance(one, other, 1).full, 2)).toBe(Math.min(slips, 2));
    }),
    { numRuns: 300 },
  );
});
