import { expect, test } from "vitest";
import { canonicalJson } from "./chain.ts";

test("the examples of RFC 8785", () => {
  const input = {
    numbers: JSON.parse("[333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001]") as number[],
    string: '€$\u000f\nA\'B"\\\\"/',
    literals: [null, true, false],
  };
  expect(canonicalJson(input)).toBe(
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
  );
  const names = {
    "€": "Euro Sign",
    "\r": "Carriage Return",
    "\ufb33": "Hebrew Letter Dalet With Dagesh",
    "1": "One",
    "😀": "Emoji: Grinning Face",
    "\u0080": "Control",
    ö: "Latin Small Letter O With Diaeresis",
  };
  expect(Object.values(JSON.parse(canonicalJson(names)) as object)).toEqual(
    // the parser takes "1" for an index and puts it first; the text itself starts with \r
    [
      "One",
      "Carriage Return",
      "Control",
      "Latin Small Letter O With Diaeresis",
      "Euro Sign",
      "Emoji: Grinning Face",
      "Hebrew Letter Dalet With Dagesh",
    ],
  );
  expect(canonicalJson(names).startsWith('{"\\r":')).toBe(true);
});

test("neither the order of members nor what is undefined matters", () => {
  expect(canonicalJson({ b: [{ d: 1, c: -0 }], a: undefined, aa: "" })).toBe('{"aa":"","b":[{"c":0,"d":1}]}');
  expect(canonicalJson([undefined, null])).toBe("[null,null]");
  expect(canonicalJson("\ud800")).toBe('"\\ud800"');
});
