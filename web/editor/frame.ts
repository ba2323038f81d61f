import type { EditorView } from "@milkdown/kit/prose/view";

/** What stands around the text: its toolbar, messages and menus. */
export const frameOf = (view: EditorView): Element | null => view.dom.parentElement?.closest(".editor") ?? null;
