import { editorViewCtx } from "@milkdown/kit/core";
import { NodeSelection, TextSelection } from "@milkdown/kit/prose/state";
import type { EditorView } from "@milkdown/kit/prose/view";
import { afterEach, describe, expect, it } from "vitest";
import { createEditor } from "./create-editor.ts";
import { writeDocument } from "./document.ts";

const nothing = () => {};
const events = {
  onReady: nothing,
  onEdit: nothing,
  onPause: nothing,
  onToolbar: nothing,
  onFinding: nothing,
  onBlockMenu: nothing,
  onMentionMenu: nothing,
  findMentions: () => Promise.resolve([]),
  onAsked: nothing,
  onFailed: nothing,
  upload: () => Promise.reject(new Error("no pictures here")),
};

let close: () => unknown = nothing;
afterEach(async () => {
  await close();
});

async function open(markdown: string): Promise<EditorView> {
  const editor = await createEditor(document.body, markdown, {}, events).create();
  close = () => editor.destroy();
  return editor.ctx.get(editorViewCtx);
}

/** As ProseMirror does on a key: a handler can take the letter, otherwise it replaces the selection. */
function type(view: EditorView, letter: string) {
  const { from, to } = view.state.selection;
  const deflt = () => view.state.tr.insertText(letter, from, to);
  if (!view.someProp("handleTextInput", (take) => take(view, from, to, letter, deflt))) view.dispatch(deflt());
}

const table = "<table>\n<tr><td>60 °C</td></tr>\n</table>\n";

describe("a text that begins with what can't be typed in", () => {
  it("is opened with the caret in its first text", async () => {
    const view = await open(`${table}\nAfter\n`);
    expect(view.state.selection).toBeInstanceOf(TextSelection);
    type(view, "x");
    expect(writeDocument(view.state.doc)).toBe(`${table}\nxAfter\n`);
  });

  it("without any text gets a paragraph of its own for what is typed", async () => {
    const view = await open(table);
    expect(view.state.selection).toBeInstanceOf(NodeSelection);
    type(view, "x");
    type(view, "y");
    expect(writeDocument(view.state.doc)).toBe(`${table}\nxy\n`);
  });

  it("keeps a selected rule when the user types", async () => {
    const view = await open("Before\n\n---\n\nAfter\n");
    view.dispatch(view.state.tr.setSelection(NodeSelection.create(view.state.doc, 8)));
    type(view, "x");
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
    type(view, "x");
    expect(writeDocument(view.state.doc)).toBe(written);
  });
});
