import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { renderHtml } from "../markdown/render.ts";
import { createAnchorText, createAnchor, findAnchoredRange, type CommentAnchor, type AnchorText } from "./anchor.ts";
import { blocksOfHtml } from "./blocks.ts";

const read = (markdown: string) => createAnchorText(blocksOfHtml(renderHtml(markdown)));
const blockWith = (text: AnchorText, words: string) => {
  const block = text.blocks.findLast(({ start }) => start <= text.text.indexOf(words));
  if (!block) throw new Error(`no block holds ${words}`);
  return block;
};
function pin(text: AnchorText, quote: string): CommentAnchor {
  const block = blockWith(text, quote);
  const anchor = createAnchor(text, { block: block.key, quote, start: text.text.indexOf(quote) - block.start });
  if (!anchor) throw new Error(`${quote} was not pinned`);
  return anchor;
}
function shown(text: AnchorText, anchor: CommentAnchor): string | null {
  const place = findAnchoredRange(text, anchor);
  if (!place) return null;
  const block = text.blocks.find(({ key }) => key === place.block);
  return text.text.slice((block?.start ?? Number.NaN) + place.start, (block?.start ?? Number.NaN) + place.end);
}

const recipe = `# Starting the press

Check the guard before you start.

1. Turn the key
2. Press the green button twice
3. Wait for the lamp

| Part | Checked |
| --- | --- |
| Guard | Yes |
| Lamp | Yes |

Report every fault to the shift lead at once.
`;

describe("pinning", () => {
  test("keeps the words, their start in the block, and the text around them", () => {
    const anchor = pin(read(recipe), "green button");
    expect(anchor).toMatchObject({ quote: "green button", start: 10 });
    expect(anchor.before).toMatch(/Turn the key Press the $/);
    expect(anchor.after).toMatch(/^ twice Wait for the lamp/);
  });

  test("takes the place that was asked for, of several", () => {
    const text = read(recipe);
    const last = text.blocks.findLast(({ length }) => length === 3);
    const anchor = createAnchor(text, { block: last?.key ?? "", quote: "Yes", start: 0 });
    expect(anchor?.before).toMatch(/Lamp $/);
  });

  test("takes quotes over several blocks, with any separator", () => {
    const text = read(recipe);
    const anchor = createAnchor(text, { block: "", quote: "green button twice\n\n  Wait for" });
    expect(anchor?.quote).toBe("green button twice Wait for");
    expect(anchor && shown(text, anchor)).toBe("green button twice Wait for");
  });

  test("refuses words that do not stand there, and none at all", () => {
    expect(createAnchor(read(recipe), { block: "", quote: "red button" })).toBeNull();
    expect(createAnchor(read(recipe), { block: "", quote: " \n " })).toBeNull();
  });
});

describe("finding again", () => {
  test("an edit of the same block keeps the quote", () => {
    const anchor = pin(read(recipe), "green button");
    const edited = read(recipe.replace("Press the green button twice", "Then press the green button once"));
    expect(shown(edited, anchor)).toBe("green button");
  });

  test("an edit inside the quote leaves its longest part, if that is half of it", () => {
    const anchor = pin(read(recipe), "Report every fault to the shift lead at once.");
    const edited = read(recipe.replace("to the shift lead", "to your own shift lead"));
    expect(shown(edited, anchor)).toBe("Report every fault to");
    const other = read(recipe.replace("Report every fault to the shift lead at once.", "Report to nobody."));
    expect(findAnchoredRange(other, anchor)).toBeNull();
  });

  test("a block that moved takes its comment with it", () => {
    const anchor = pin(read(recipe), "Wait for the lamp");
    const moved = read(`1. Wait for the lamp\n\n${recipe.replace("3. Wait for the lamp\n", "")}`);
    expect(shown(moved, anchor)).toBe("Wait for the lamp");
  });

  test("of blocks with the same words it is the one with the same surroundings", () => {
    const text = read(recipe);
    const last = text.blocks.findLast(({ length }) => length === 3);
    const anchor = createAnchor(text, { block: last?.key ?? "", quote: "Yes", start: 0 }) as CommentAnchor;
    const edited = read(recipe.replace("| Guard | Yes |", "| Key | Yes |\n| Fuse | Yes |\n| Guard | Yes |"));
    const place = findAnchoredRange(edited, anchor);
    expect(place?.block).toBe(edited.blocks.findLast(({ length }) => length === 3)?.key);
  });

  test("a few letters found elsewhere are not the place", () => {
    const anchor = pin(read("Set the valve.\n\nDone."), "valve");
    expect(findAnchoredRange(read("Done.\n\nThe pump also has one valve of its own."), anchor)).toBeNull();
  });

  test("works for scripts without spaces", () => {
    const anchor = pin(
      read("# 手順\n\n作業を始める前に安全装置を必ず確認してください。\n"),
      "安全装置を必ず確認してください",
    );
    const edited = read("# 手順\n\n新しい段落。\n\n作業の前に、安全装置を必ず点検して確認してください。\n");
    expect(shown(edited, anchor)).toBeNull();
    const above = read("# 手順\n\n新しい段落。\n\n毎日、作業を始める前に安全装置を必ず確認してください。\n");
    expect(shown(above, anchor)).toBe("安全装置を必ず確認してください");
  });
});

const words = fc.constantFrom(
  ..."open close the valve pump check twice lamp green before after every shift yes".split(" "),
);
const sentence = fc.array(words, { minLength: 3, maxLength: 12 }).map((list) => list.join(" "));
/** Blocks as in real texts: some short, some similar. */
const chapter = fc.array(fc.oneof(sentence, words, fc.constant("yes")), { maxLength: 16 });
/** Names that no other text here has. */
const own = fc.array(fc.constantFrom("zinc", "quartz", "mica", "talc", "ochre"), { minLength: 5, maxLength: 9 });

describe("after any other edit", () => {
  test("the anchor keeps its words", () => {
    fc.assert(
      fc.property(
        chapter,
        own,
        chapter,
        chapter,
        chapter,
        fc.nat(),
        fc.nat(),
        (top, names, end, newTop, newEnd, a, b) => {
          const line = names.join(" ");
          const text = createAnchorText([...top, line, ...end]);
          const from = a % line.length;
          const quote = line.slice(from, from + 4 + (b % line.length)).trim();
          if (quote === "") return;
          const key = blockWith(text, line).key;
          const anchor = createAnchor(text, { block: key, quote, start: line.indexOf(quote, from) }) as CommentAnchor;
          const edited = createAnchorText([...newTop, line, ...newEnd]);
          expect(shown(edited, anchor)).toBe(quote);
          expect(findAnchoredRange(edited, anchor)?.start).toBe(anchor.start);
          expect(findAnchoredRange(edited, anchor)?.block).toBe(blockWith(edited, line).key);
        },
      ),
      { numRuns: 300 },
    );
  });

  test("is an orphan once its block is gone, and is found again when the block comes back", () => {
    fc.assert(
      fc.property(chapter, own, chapter, (top, names, end) => {
        const line = names.join(" ");
        const text = createAnchorText([...top, line, ...end]);
        const anchor = pin(text, line);
        expect(findAnchoredRange(createAnchorText([...top, ...end]), anchor)).toBeNull();
        expect(shown(createAnchorText(["new", ...end, line, ...top]), anchor)).toBe(line);
      }),
      { numRuns: 200 },
    );
  });

  test("a place is always inside the text", () => {
    fc.assert(
      fc.property(chapter, chapter, fc.nat(), fc.nat(), (one, other, a, b) => {
        const [text, edited] = [createAnchorText(one), createAnchorText(other)];
        if (text.text === "") return;
        const from = a % text.text.length;
        const anchor = createAnchor(text, { block: "", quote: text.text.slice(from, from + 1 + (b % 80)) });
        if (!anchor) return;
        expect(shown(text, anchor)).toBe(anchor.quote);
        const place = findAnchoredRange(edited, anchor);
        if (!place) return;
        const block = edited.blocks.find(({ key }) => key === place.block);
        expect(block).toBeDefined();
        expect(place.end).toBeGreaterThan(place.start);
        expect((block?.start ?? 0) + place.end).toBeLessThanOrEqual(edited.text.length);
      }),
      { numRuns: 300 },
    );
  });
});
