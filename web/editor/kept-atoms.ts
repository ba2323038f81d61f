/**
 * A block that can only be selected as a whole (raw HTML, a line) is deleted by Backspace or Delete, but never replaced
 * by a typed letter. In a text that begins with an HTML table, the table is selected from the start.
 */
import type { Node } from "@milkdown/kit/prose/model";
import { NodeSelection, Plugin, Selection, TextSelection } from "@milkdown/kit/prose/state";

/** The first place where the user can type, or the first block if there is none. */
export const firstCaretSelection = (doc: Node): Selection =>
  Selection.findFrom(doc.resolve(0), 1, true) ?? Selection.atStart(doc);

/**
 * A letter typed on a selected block begins a paragraph below it. So does a click below the last block, unless an empty
 * step is there.
 */
export const atomBlocksPlugin = (): Plugin =>
  new Plugin({
    props: {
      handleDOMEvents: {
        // Tab moves to the start of the text. Chromium puts no caret on a block that doesn't accept typing.
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
