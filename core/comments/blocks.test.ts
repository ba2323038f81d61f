import { expect, test } from "vitest";
import { renderHtml } from "../markdown/render.ts";
import { blocksOfHtml } from "./blocks.ts";

test("blocks are the runs of text between block tags", () => {
  const html = renderHtml(
    [
      "# A & B < C",
      "One *two* **three** `x < y`  \nfour\nfive [link](https://example.org/?a=1&b=%22).",
      "- item one\n\n  more\n  - nested\n- last",
      "| a | b |\n| - | - |\n| 1 | |",
      "```js\nif (a < b) {\n  c();\n}\n```",
      "> [!WARNING]\n> Hot",
      '<details><summary>More</summary>x<br>y <sub title=">">2</sub></details>',
    ].join("\n\n"),
  );
  expect(blocksOfHtml(html)).toEqual([
    "A & B < C",
    "One two three x < y four five link.",
    "item one",
    "more",
    "nested",
    "last",
    "a",
    "b",
    "1",
    "if (a < b) { c(); }",
    "Warning",
    "Hot",
    "More",
    "x y 2",
  ]);
});

test("characters are decoded once, in every way they are written", () => {
  expect(blocksOfHtml("<p>&#x26;lt; &#38; &amp; &nbsp;x &unknown; &#x110000; a < b</p>")).toEqual([
    "&lt; & & x &unknown; &#x110000; a < b",
  ]);
  expect(blocksOfHtml("<!-- no --><p></p> <hr>")).toEqual([]);
});
