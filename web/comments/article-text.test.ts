import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import { createAnchorText } from "#core/comments/anchor.ts";
import { blocksOfHtml } from "#core/comments/blocks.ts";
import { renderHtml } from "#core/markdown/render.ts";
import { corpusFiles, textOf } from "../../test/corpus.ts";
import { selectedTextOf, anchorRangeOf, readArticleText } from "./article-text.ts";
import { showHighlights } from "./highlights.ts";

afterEach(() => document.body.replaceChildren());

function show(markdown: string): { html: string; article: HTMLElement } {
  const html = renderHtml(markdown);
  const article = document.createElement("div");
  article.innerHTML = html;
  document.body.append(article);
  return { html, article };
}

const everything = `# A & B < C

One *two* **three** \`x < y\`  
four
five [link](https://example.org/). Six<br>seven.

- item one

  more
  - [ ] nested
- last[^1]

| a | b |
| - | - |
| 1 | |

\`\`\`js
if (a < b) {
  c();
}
\`\`\`

> [!WARNING]
> Hot

<details><summary>More</summary>x<br>y <sub>2</sub></details>

[^1]: A note.
`;

describe("the article on screen", () => {
  test("holds the blocks that the server finds in its HTML", () => {
    const { html, article } = show(everything);
    const read = readArticleText(article);
    const sent = createAnchorText(blocksOfHtml(html));
    expect(read.text).toBe(sent.text);
    expect(read.blocks).toEqual(sent.blocks);
    expect(read.places).toHaveLength(read.text.length);
  });

  test("and so do the documents of others", { timeout: 60_000 }, () => {
    for (const file of corpusFiles(".md", { oneIn: 50 })) {
      const { html, article } = show(textOf(file).slice(0, 10_000));
      expect(readArticleText(article).blocks, file.name).toEqual(createAnchorText(blocksOfHtml(html)).blocks);
      article.remove();
    }
  });

  test("gives a selection back as the same words, with any start and end", () => {
    const { article } = show(everything);
    const read = readArticleText(article);
    fc.assert(
      fc.property(fc.nat(read.text.length - 1), fc.nat(60), (from, length) => {
        const to = Math.min(read.text.length - 1, from + length);
        const [first, last] = [read.places[from], read.places[to]];
        // a line break has no character for a selection to end at
        if (!first || !last || read.text[to] === " ") return;
        const range = document.createRange();
        range.setStart(first.node, first.offset);
        range.setEnd(last.node, last.offset + 1);
        const words = read.text.slice(from, to + 1).trim();
        const chosen = selectedTextOf(read, range);
        expect(chosen?.quote ?? "").toBe(words);
        if (!chosen) return;
        const again = anchorRangeOf(read, { ...chosen, end: chosen.start + chosen.quote.length });
        expect(selectedTextOf(read, again as Range)).toEqual(chosen);
      }),
      { numRuns: 300 },
    );
  });

  test("selections of whole elements, and of nothing, are understood", () => {
    const { article } = show("# Title\n\nText.\n");
    const range = document.createRange();
    range.selectNodeContents(article);
    expect(selectedTextOf(readArticleText(article), range)).toMatchObject({ quote: "Title Text.", start: 0 });
    range.collapse(true);
    expect(selectedTextOf(readArticleText(article), range)).toBeNull();
    const elsewhere = document.createElement("p");
    elsewhere.append("Elsewhere");
    document.body.append(elsewhere);
    range.selectNodeContents(elsewhere);
    expect(selectedTextOf(readArticleText(article), range)).toBeNull();
  });
});

test("without the highlight API words are wrapped, and unwrapped without a trace", () => {
  const { html, article } = show("Some *emphasised* words, and more.\n\n- One\n- Two\n");
  const read = readArticleText(article);
  const rangeAt = (words: string) => {
    const from = read.text.indexOf(words);
    const block = read.blocks.findLast(({ start }) => start <= from);
    const start = from - (block?.start ?? 0);
    return anchorRangeOf(read, { block: block?.key ?? "", start, end: start + words.length }) as Range;
  };
  const undo = showHighlights([
    { id: "a", range: rangeAt("emphasised words"), active: false },
    { id: "b", range: rangeAt("One Two"), active: true },
  ]);
  const marks = [...article.querySelectorAll("mark")];
  expect(marks.map((mark) => [mark.dataset["thread"], mark.textContent])).toEqual([
    ["a", "emphasised"],
    ["a", " words"],
    ["b", "One"],
    ["b", "Two"],
  ]);
  expect(readArticleText(article).blocks).toEqual(read.blocks);
  undo();
  expect(article.innerHTML).toBe(html);
});
