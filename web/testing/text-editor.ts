/**
 * Opens the editor of SOP texts for tests. Typed text passes through the plugins of the editor, as keys do in a
 * browser.
 */
import { editorViewCtx } from "@milkdown/kit/core";
import { Selection } from "@milkdown/kit/prose/state";
import type { EditorView } from "@milkdown/kit/prose/view";
import { createEditor, type EditorEvents } from "../editor/create-editor.ts";

const doNothing = () => {};
const events: EditorEvents = {
  onReady: doNothing,
  onEdit: doNothing,
  onPause: doNothing,
  onToolbar: doNothing,
  onFinding: doNothing,
  onBlockMenu: doNothing,
  onMentionMenu: doNothing,
  findMentions: () => Promise.resolve([]),
  onOpenDialog: doNothing,
  onFailed: doNothing,
  upload: () => Promise.reject(new Error("no pictures here")),
};

export interface TextEditor {
  view: EditorView;
  close(): Promise<unknown>;
}

export async function openTextEditor(markdown: string, heard: Partial<EditorEvents> = {}): Promise<TextEditor> {
  const editor = await createEditor(document.body, markdown, {}, { ...events, ...heard }).create();
  return { view: editor.ctx.get(editorViewCtx), close: () => editor.destroy() };
}

/**
 * Replaces the text of an open editor, which is faster than opening another editor. Puts the caret at the start of the
 * new text.
 */
export function loadText(view: EditorView, doc: EditorView["state"]["doc"]): void {
  const tr = view.state.tr.replaceWith(0, view.state.doc.content.size, doc.content);
  view.dispatch(tr.setSelection(Selection.atStart(tr.doc)));
}

/**
 * Types a text letter by letter, as ProseMirror handles keys: a letter that no plugin handles replaces the selection.
 * `\n` is Enter.
 */
export function typeText(view: EditorView, text: string): void {
  for (const letter of text) {
    if (letter === "\n") pressKey(view, "Enter");
    else {
      const { from, to } = view.state.selection;
      const deflt = () => view.state.tr.insertText(letter, from, to);
      if (!view.someProp("handleTextInput", (take) => take(view, from, to, letter, deflt))) view.dispatch(deflt());
    }
  }
}

/** Presses a key. Returns whether the editor handled the press. */
export function pressKey(view: EditorView, key: string, init: KeyboardEventInit = {}): boolean {
  const event = new KeyboardEvent("keydown", { key, ...init });
  return view.someProp("handleKeyDown", (handle) => handle(view, event)) ?? false;
}
