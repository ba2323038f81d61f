/** The handle beside the block under the pointer. Milkdown's own plugin places it and drags the block. */
import type { Ctx } from "@milkdown/kit/ctx";
import { BlockProvider } from "@milkdown/kit/plugin/block";
import { NodeSelection, TextSelection, type EditorState, type Transaction } from "@milkdown/kit/prose/state";

export interface BlockHandle {
  /** The element for React's buttons. */
  element: HTMLElement;
  /** Shows the handle beside blocks. @returns a function that removes the handle */
  attach(): () => void;
  /** Returns a transaction that moves the caret to the block beside the handle; null if that block is gone. */
  createCaretTransaction(state: EditorState): Transaction | null;
}

/**
 * Creates the handle.
 * @param ctx the context of an editor that is ready
 */
export function createBlockHandle(ctx: Ctx): BlockHandle {
  const element = document.createElement("div");
  element.className = "editor-handle";
  const provider = new BlockProvider({
    ctx,
    content: element,
    getPlacement: () => "left-start",
    // Without this, the handle would move to the right of the block where there is no room on the left.
    floatingUIOptions: { middleware: [] },
  });
  return {
    element,
    attach() {
      provider.update();
      return () => provider.destroy();
    },
    createCaretTransaction(state) {
      const at = provider.active?.$pos.pos;
      const node = at === undefined ? null : state.doc.nodeAt(at);
      if (at === undefined || !node) return null;
      const near = TextSelection.near(state.doc.resolve(Math.min(at + 1, state.doc.content.size)));
      const isInside = near.from > at && near.from < at + node.nodeSize;
      return state.tr.setSelection(isInside ? near : NodeSelection.create(state.doc, at));
    },
  };
}
