import { expect, test } from "vitest";
import { coloredRangesOf } from "./colour-code.ts";

const wordsIn = (code: string, language: string) =>
  coloredRangesOf(code, language).map(({ start, end, colour }) => [code.slice(start, end), colour]);

test("colours the words of a known language, at their places", () => {
  const code = 'if [ -f "a & <b>" ]; then # why\n  echo $HOME\nfi\n';
  expect(wordsIn(code, "bash")).toEqual(
    expect.arrayContaining([
      ["if", "keyword"],
      ['"a & <b>"', "string"],
      ["# why", "comment"],
      ["$HOME", "number"],
    ]),
  );
  expect(wordsIn("a: 1\n", "yml")).toEqual([
    ["a:", "name"],
    ["1", "number"],
  ]);
});

test("colours diagrams as source", () => {
  expect(wordsIn("flowchart TD\n  A[Start] -->|Hot| B %% wait", "mermaid")).toEqual([
    ["flowchart", "keyword"],
    ["TD", "keyword"],
    ["[Start]", "string"],
    ["-->", "number"],
    ["|Hot|", "string"],
    ["%% wait", "comment"],
  ]);
});

test("leaves code of an unknown language, and very long code, as it is", () => {
  expect(wordsIn("if x", "klingon")).toEqual([]);
  expect(wordsIn("if true; ".repeat(20_000), "bash")).toEqual([]);
});

test("keeps the places behind characters that HTML would change", () => {
  const code = 'say("\u00A0&amp;<!--")\r\nreturn 1\r\n';
  for (const [words, colour] of wordsIn(code, "python")) if (colour === "number") expect(words).toBe("1");
});
