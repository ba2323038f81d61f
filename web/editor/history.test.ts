import { undo, undoDepth } from "@milkdown/kit/prose/history";
import type { EditorView } from "@milkdown/kit/prose/view";
import { afterEach, describe, expect, it } from "vitest";
import { openTextEditor, type TextEditor } from "../testing/text-editor.ts";
import type { EditorEvents } from "./create-editor.ts";

let editor: TextEditor | null = null;
afterEach(async () => {
  await editor?.close();
  editor = null;
});

async function open(heard: Partial<EditorEvents> = {}): Promise<EditorView> {
  editor = await openTextEditor("One\n", heard);
  return editor.view;
}

/** Types one character after the other, at this time. */
function typeAt(view: EditorView, time: number) {
  const end = view.state.doc.content.size - 1;
  view.dispatch(view.state.tr.insertText("x", end).setTime(time));
}

const undoOnce = (view: EditorView) => void undo(view.state, view.dispatch);

describe("undo", () => {
  it("takes back together what was typed within 500 ms of each other", async () => {
    const view = await open();
    for (const time of [1_000_000, 1_000_500, 1_001_001]) typeAt(view, time);
    expect(view.state.doc.textContent).toBe("Onexxx");
    undoOnce(view);
    expect(view.state.doc.textContent).toBe("Onexx");
    undoOnce(view);
    expect(view.state.doc.textContent).toBe("One");
  });

  it("keeps the last 100 steps once it forgets any", async () => {
    const view = await open();
    let [time, deepest] = [1_000_000, 0];
    // ProseMirror trims in steps: the history grows a little over its depth, then is cut back
    for (; undoDepth(view.state) >= deepest; time += 1000) {
      deepest = undoDepth(view.state);
      typeAt(view, time);
    }
    expect(undoDepth(view.state)).toBe(100);
  });
});

it("reports every change at once: text typed after a save in between is unsaved too", async () => {
  let edits = 0;
  const view = await open({ onEdit: () => (edits += 1) });
  for (const time of [1_000_000, 1_000_100, 1_000_200]) typeAt(view, time);
  expect(edits).toBe(3);
});
