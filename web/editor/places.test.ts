import { EditorState, TextSelection } from "@milkdown/kit/prose/state";
import { history, undo } from "@milkdown/kit/prose/history";
import type { Schema } from "@milkdown/kit/prose/model";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { createSchema } from "./create-editor.ts";
import { readEditorDocument, writeDocument } from "./document.ts";
import { selectionAtLine, changeToText } from "./places.ts";

let schema: Schema;
beforeAll(async () => {
  schema = await createSchema(document.createElement("div"));
});

const stateOf = (markdown: string) =>
  EditorState.create({ doc: readEditorDocument(schema, markdown), plugins: [history()] });

describe("a place in the text", () => {
  const markdown = "## A\n\nOne.\n\n1. x\n2. y\n\n> q\n";
  it.each([
    [1, "A"],
    [3, "One."],
    [5, "x"],
    [6, "x"],
    [8, "q"],
    [99, "q"],
    [0, "A"],
  ])("line %i is in %j", (line, text) => {
    const selection = selectionAtLine(stateOf(markdown), markdown, line);
    expect(selection.$from.parent.textContent).toBe(text);
  });

  it("is found below list numbers that jump", () => {
    const jumps = "1. x\n3. y\n7. z\n\n> q\n";
    expect(selectionAtLine(stateOf(jumps), jumps, 5).$from.parent.textContent).toBe("q");
    expect(selectionAtLine(stateOf(jumps), jumps, 2).$from.parent.textContent).toBe("y");
  });

  it("is found in an empty text too", () => {
    expect(selectionAtLine(stateOf(""), "", 3).from).toBe(1);
  });
});

describe("another text", () => {
  it("touches the blocks that differ, and one undo brings the old one back", () => {
    const before = stateOf("One.\n\nTwo.\n\nThree.\n");
    const change = changeToText(before, "One.\n\n2.\n\nThree.\n");
    if (!change) throw new Error("no difference");
    const after = before.apply(change);
    expect(writeDocument(after.doc)).toBe("One.\n\n2.\n\nThree.\n");
    expect(after.doc.child(0)).toBe(before.doc.child(0));
    expect(after.doc.child(2)).toBe(before.doc.child(2));
    let undone = after;
    undo(after, (step) => (undone = after.apply(step)));
    expect(writeDocument(undone.doc)).toBe("One.\n\nTwo.\n\nThree.\n");
  });

  it("leaves the cursor where it was when words changed beside it", () => {
    const state = stateOf("One TODO and more.\n\nTwo.\n");
    const there = state.apply(state.tr.setSelection(TextSelection.create(state.doc, 5)));
    const change = changeToText(there, "One done and more.\n\nTwo.\n");
    expect(change?.steps.length).toBe(1);
    expect(change?.selection.from).toBe(5);
    expect(change?.doc.textContent).toBe("One done and more.Two.");
  });

  it("that is the same is no step", () => {
    expect(changeToText(stateOf("One.\n"), "One.\n")).toBeNull();
  });

  it("is at its place afterwards, for every kind", () => {
    const text = fc.array(
      fc.constantFrom(
        "One.",
        "One more.",
        "Two.",
        "**One** more.",
        "## A",
        "| A |\n| --- |\n| x |",
        "- x\n- y",
        "> q",
        "1. a",
      ),
      { maxLength: 5 },
    );
    const markdown = text.map((blocks) => (blocks.length === 0 ? "" : `${blocks.join("\n\n")}\n`));
    fc.assert(
      fc.property(markdown, markdown, (from, to) => {
        const state = stateOf(from);
        const change = changeToText(state, to);
        expect(writeDocument(change ? state.apply(change).doc : state.doc)).toBe(
          writeDocument(readEditorDocument(schema, to)),
        );
      }),
      { numRuns: 100 },
    );
  });
});
