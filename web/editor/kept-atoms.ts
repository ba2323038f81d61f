/**
 * Protects blocks that can only be selected as a whole, such as raw HTML. Backspace or Delete removes such a block, but
 * a typed letter never replaces it, even if it is the first block and so is selected from the start.
 */
import type { Node } from "@milkdown/kit/prose/model";
import { NodeSelection, Plugin, Selection, TextSelection } from "@milkdown/kit/prose/state";

/** Returns a selection at the first position where the user can type; if there is none, of the first block. */
export const firstCaretSelection = (doc: Node): Selection =>
  Selection.findFrom(doc.resolve(0), 1, true) ?? Selection.atStart(doc);

/**
 * Begins a paragraph below a selected block when a letter is typed. A click below the last block does the same, unless
 * that block ends with an empty step.
 */
export const atomBlocksPlugin = (): Plugin =>
  new Plugin({
    props: {
      handleDOMEvents: {
        // When Tab moves the focus to a text that begins with such a block, Chromium sets no caret, so the editor does.
        focus(view) {
          setTimeout(() => {
            const { anchorNode } = view.dom.ownerDocument.getSelection() ?? {};
            if (view.hasFocus() && !view.dom.contains(anchorNode ?? null)) view.focus();
          });
          return false;
        },
        mousedown(view, event) {
          const last = view.dom.lastElementChild;
          const { lastChild, content } = view.state.doc;
          const paragraph = view.state.schema.nodes["paragraph"]?.create();
          const isBelow = event.target === view.dom && last && event.clientY > last.getBoundingClientRect().bottom;
          if (!isBelow || !paragraph || !lastChild || lastChild.type === paragraph.type) return false;
          event.preventDefault();
          const { $head } = Selection.atEnd(view.state.doc);
          const isWaiting = $head.parent.content.size === 0 && $head.node(-1).type.name === "list_item";
          const tr = isWaiting ? view.state.tr : view.state.tr.insert(content.size, paragraph);
          view.dispatch(tr.setSelection(Selection.atEnd(tr.doc)).scrollIntoView());
          view.focus();
          return true;
        },
      },
      handleTextInput({ state, dispatch }, _from, _to, text) {
        const { selection, schema, tr } = state;
        if (!(selection instanceof NodeSelection) || !selection.node.isBlock || !selection.node.isAtom) return false;
        const paragraph = schema.nodes["paragraph"]?.create(null, schema.text(text));
        if (!paragraph) return false;
        const index = selection.$to.index();
        if (!selection.$to.parent.canReplaceWith(index, index, paragraph.type)) return false;
        tr.insert(selection.to, paragraph);
        dispatch(tr.setSelection(TextSelection.create(tr.doc, selection.to + 1 + text.length)).scrollIntoView());
        return true;
      },
    },
  });
