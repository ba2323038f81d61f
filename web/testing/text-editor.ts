/** The editor of SOP texts as it runs in the browser, for tests: typing goes through its plugins, as keys do. */
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

/** Another text in an open editor, which is faster than another editor. The caret is in its first text. */
export function loadText(view: EditorView, doc: EditorView["state"]["doc"]): void {
  const tr = view.state.tr.replaceWith(0, view.state.doc.content.size, doc.content);
  view.dispatch(tr.setSelection(Selection.atStart(tr.doc)));
}

/** As ProseMirror does on a key: a plugin may take the letter, else it replaces the selection. `\n` is Enter. */
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

/** Whether the editor took the key. */
export function pressKey(view: EditorView, key: string, init: KeyboardEventInit = {}): boolean {
  const event = new KeyboardEvent("keydown", { key, ...init });
  return view.someProp("handleKeyDown", (handle) => handle(view, event)) ?? false;
}
