/** The handle beside the block under the pointer: placed by Milkdown's own plugin, which also drags the block. */
import type { Ctx } from "@milkdown/kit/ctx";
import { BlockProvider } from "@milkdown/kit/plugin/block";
import { NodeSelection, TextSelection, type EditorState, type Transaction } from "@milkdown/kit/prose/state";

export interface BlockHandle {
  /** React puts the buttons in here. */
  element: HTMLElement;
  /** @returns what takes it away again */
  attach(): () => void;
  /** The caret in the block beside it; null: it is beside none anymore. */
  caretIn(state: EditorState): Transaction | null;
}

/** @param ctx of a ready editor */
export function createBlockHandle(ctx: Ctx): BlockHandle {
  const element = document.createElement("div");
  element.className = "editor-handle";
  const provider = new BlockProvider({
    ctx,
    content: element,
    getPlacement: () => "left-start",
    // never to the other side: without room it is out of sight
    floatingUIOptions: { middleware: [] },
  });
  return {
    element,
    attach() {
      provider.update();
      return () => provider.destroy();
    },
    caretIn(state) {
      const at = provider.active?.$pos.pos;
      const node = at === undefined ? null : state.doc.nodeAt(at);
      if (at === undefined || !node) return null;
      const near = TextSelection.near(state.doc.resolve(Math.min(at + 1, state.doc.content.size)));
      const isInside = near.from > at && near.from < at + node.nodeSize;
      return state.tr.setSelection(isInside ? near : NodeSelection.create(state.doc, at));
    },
  };
}
