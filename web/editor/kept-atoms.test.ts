import { NodeSelection, TextSelection } from "@milkdown/kit/prose/state";
import type { EditorView } from "@milkdown/kit/prose/view";
import { afterEach, describe, expect, it } from "vitest";
import { openTextEditor, typeText, type TextEditor } from "../testing/text-editor.ts";
import { writeDocument } from "./document.ts";

let editor: TextEditor | null = null;
afterEach(async () => {
  await editor?.close();
  editor = null;
});

async function open(markdown: string): Promise<EditorView> {
  editor = await openTextEditor(markdown);
  return editor.view;
}

const table = "<table>\n<tr><td>60 °C</td></tr>\n</table>\n";

describe("a text that begins with what can't be typed in", () => {
  it("is opened with the caret in its first text", async () => {
    const view = await open(`${table}\nAfter\n`);
    expect(view.state.selection).toBeInstanceOf(TextSelection);
    typeText(view, "x");
    expect(writeDocument(view.state.doc)).toBe(`${table}\nxAfter\n`);
  });

  it("without any text gets a paragraph of its own for what is typed", async () => {
    const view = await open(table);
    expect(view.state.selection).toBeInstanceOf(NodeSelection);
    typeText(view, "x");
    typeText(view, "y");
    expect(writeDocument(view.state.doc)).toBe(`${table}\nxy\n`);
  });

  it("keeps a selected rule when the user types", async () => {
    const view = await open("Before\n\n---\n\nAfter\n");
    view.dispatch(view.state.tr.setSelection(NodeSelection.create(view.state.doc, 8)));
    typeText(view, "x");
    expect(writeDocument(view.state.doc)).toBe("Before\n\n---\n\nx\n\nAfter\n");
  });
});

describe("a click below the last block", () => {
  it.each([
    ["begins a paragraph", "1. One\n", "1. One\n\nx\n"],
    ["goes on in the empty step that waits there", "1. One\n2.\n", "1. One\n2. x\n"],
  ])("%s", async (_, markdown, written) => {
    const view = await open(markdown);
    view.dom.dispatchEvent(new MouseEvent("mousedown", { clientY: 1, bubbles: true, cancelable: true }));
    typeText(view, "x");
    expect(writeDocument(view.state.doc)).toBe(written);
  });
});
