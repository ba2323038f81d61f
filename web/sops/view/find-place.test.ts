import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { searchChunksOf, type Chunk } from "#core/search/chunks.ts";
import { bestChunkFor, firstMatchOf, createTermFinder } from "#core/search/highlight.ts";
import { parseQuery } from "#core/search/query.ts";
import { renderSop } from "#core/steps/steps-of.ts";
import { hitAddressOf } from "../../search/hit-address.ts";
import { findAnchoredElement } from "./anchors.ts";
import { findPlace } from "./find-step.ts";
import { stepTargetOf } from "./step-target.ts";

const image = `/api/assets/${"a".repeat(64)}.png`;
const indented = (text: string, by: string) => text.replace(/^(?=.)/gm, by);
const listItem = (mark: string, blocks: readonly string[]) =>
  mark + indented(blocks.join("\n\n"), " ".repeat(mark.length)).trimStart();
const quote = (blocks: readonly string[]) => blocks.join("\n\n").replace(/^/gm, "> ");

/** Each `?` becomes a word of its own. */
const leaf = fc.constantFrom(
  "?",
  "Same words. ?",
  "? **?** `?` [?](https://example.com), ?\\\n?",
  "?<br>?, H<sub>2</sub>O ?",
  "Same words[^~] ?",
  `? ![?|300](${image}) ?`,
  `![?](${image} "? and ?")`,
  "![?](https://example.com/a.png)",
  "```sh\n? ?\n\n?\n```",
  "| ? | ? |\n| --- | --- |\n| ? | **?** |\n| ? | ? |",
  "<table><caption>?</caption><tr><td>?</td></tr><tr><td>?</td></tr></table>",
  "<details><summary>?</summary>\n\n?\n\n?\n\n</details>",
  `Same words. ${"Long text of many words. ".repeat(8)}?`,
);
const { block } = fc.letrec<{ block: string; container: string }>((tie) => {
  const blocks = fc.array(tie("block"), { minLength: 1, maxLength: 3 });
  const items = fc.array(blocks, { minLength: 1, maxLength: 3 });
  const list = (mark: (at: number) => string) => (all: string[][]) =>
    all.map((one, at) => listItem(mark(at), one)).join("\n");
  return {
    block: fc.oneof({ maxDepth: 3, depthSize: "small" }, leaf, tie("container")),
    container: fc.oneof(
      items.map(list((at) => `${at + 3}. `)),
      items.map(list(() => "- ")),
      items.map((all) => list(() => "- ")(all.map((one) => ["[ ] ?", ...one]))),
      blocks.map(quote),
      blocks.map((all) => quote(["[!WARNING]", ...all])),
      blocks.map((all) => `> [!danger] ?\n${quote(all)}`),
      fc.constant("> ## Same\n>\n> ?"),
    ),
  };
});
const heading = fc.constantFrom("## ?", "## Same", "### Same", "## ? *?*");

function sopOf(blocks: readonly string[]): { markdown: string; words: string[] } {
  const words: string[] = [];
  let notes = 0;
  const word = () => {
    // letters only, and no beginning of another
    const name = `zq${[...String(words.length + 100)].map((digit) => "bcdfghjkmn"[Number(digit)]).join("")}`;
    words.push(name);
    return name;
  };
  const text = blocks.join("\n\n").replaceAll("~", () => String(++notes));
  const definitions = Array.from({ length: notes }, (_, at) => `[^${at + 1}]: Same words ?`);
  const markdown = [text, ...definitions].join("\n\n").replace(/\?/g, word);
  return { markdown, words };
}

function placeOf(article: HTMLElement, chunks: readonly Chunk[], word: string) {
  const { terms } = parseQuery(word);
  const best = bestChunkFor(chunks, createTermFinder({ terms }));
  if (!best) return null;
  const { anchor, heading: above, step: number } = best.chunk;
  const step = { anchor, heading: above, number, text: best.text, words: firstMatchOf(best) };
  const { search, hash } = new URL(hitAddressOf({ sop: { id: "x" }, step }), "http://localhost");
  const target = stepTargetOf({ search, hash });
  if (target === null) return { shown: findAnchoredElement(article, hash)?.textContent, piece: null };
  const place = findPlace(article, target);
  return { shown: place?.words && textIn(place.words), piece: place?.piece ?? null };
}

function textIn(range: Range): string {
  const { startContainer: node, startOffset: at } = range;
  const found = node.childNodes[at];
  return found instanceof HTMLImageElement ? found.alt : range.toString();
}

describe("the place of a search result", () => {
  it("has the words that search found, in every block", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(block, block, heading), { minLength: 1, maxLength: 6 }), (blocks) => {
        const { markdown, words } = sopOf(blocks);
        const article = document.createElement("div");
        article.innerHTML = renderSop(markdown);
        const chunks = searchChunksOf(markdown);
        for (const word of words) {
          const place = placeOf(article, chunks, word);
          expect([word, place?.shown]).toEqual([word, expect.stringContaining(word)]);
          if (place?.piece) expect(place.piece.outerHTML).toContain(word);
        }
      }),
      { numRuns: 25 },
    );
  });
});
