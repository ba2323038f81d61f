import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { numberedBlocksOf, bodyAfterEdits, type BlockEdit } from "#core/ai/blocks.ts";
import { formatMarkdown } from "#core/markdown/format.ts";
import { blockLines, editSource } from "./proposals.ts";

const body = "\n##  Purpose\n\nNobody *gets*   hurt.\n\n\n* One\n* Two\n\nSetext\n------\nEnd.\n";
const edited = (edits: BlockEdit[]) => {
  const canonical = formatMarkdown(body);
  return editSource(body, edits, bodyAfterEdits(canonical, edits));
};

describe("edits in a text as it was written", () => {
  test("leave alone what they don't name, to the byte", () => {
    expect(edited([])).toBe(body);
    expect(edited([{ op: "replace", blockId: "b2", markdown: "All stay safe.\n" }])).toBe(
      body.replace("Nobody *gets*   hurt.", "All stay safe."),
    );
    expect(edited([{ op: "insertAfter", blockId: "b3", markdown: "Then rest." }])).toBe(
      body.replace("* Two\n", "* Two\n\nThen rest.\n"),
    );
    expect(edited([{ op: "delete", blockId: "b3", markdown: "" }])).toBe(body.replace("\n\n\n* One\n* Two", ""));
    expect(edited([{ op: "delete", blockId: "b1", markdown: "" }])).toBe(body.replace("\n##  Purpose\n\n", ""));
  });

  test("are refused where the outcome would read differently", () => {
    expect(editSource(body, [], "Something else.\n")).toBeNull();
    // side by side the two lists become one
    expect(edited([{ op: "insertAfter", blockId: "b3", markdown: "* Three" }])).toSatisfy(
      (text: string | null) => text === null || formatMarkdown(text).includes("- Three"),
    );
  });

  test("read like the same edits made in the canonical form, for any edits", () => {
    const block = fc.constantFrom(
      "## A",
      "Text *a* _b_.",
      "* x\n* y",
      "1) one\n2) two",
      "> q",
      "| a |\n|-|\n| b |",
      "```\nc\n```",
    );
    const op = fc.constantFrom("replace", "insertAfter", "delete");
    const edit = fc.record({ op, at: fc.integer({ min: 1, max: 6 }), markdown: block });
    fc.assert(
      fc.property(fc.array(block, { maxLength: 6 }), fc.array(edit, { maxLength: 4 }), (blocks, wishes) => {
        const text = blocks.join("\n\n\n");
        const edits = wishes.map(({ at, ...rest }) => ({ ...rest, blockId: `b${at}` }) as BlockEdit);
        const wanted = bodyAfterEdits(formatMarkdown(text), edits);
        const made = editSource(text, edits, wanted);
        if (made !== null) expect(formatMarkdown(made)).toBe(wanted);
        else expect(edits.length).toBeGreaterThan(0);
      }),
      { numRuns: 200 },
    );
  });
});

test("a block is found by its line", () => {
  expect([...blockLines(body)]).toEqual([
    ["b1", 2],
    ["b2", 4],
    ["b3", 7],
    ["b4", 10],
    ["b5", 12],
  ]);
  expect(numberedBlocksOf(formatMarkdown(body))).toHaveLength(5);
});
