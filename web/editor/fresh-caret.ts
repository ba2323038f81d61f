/**
 * Chromium tells of a moved caret up to a frame late, and a key pressed in between would act where the caret was before:
 * Enter right after a click split the wrong block. Before each key the editor is told at once.
 */
import { Plugin } from "@milkdown/kit/prose/state";

export const freshCaret = (): Plugin =>
  new Plugin({
    props: {
      handleDOMEvents: {
        keydown(view, event) {
          // an input method's own keys move nothing, and must not be disturbed
          if (!event.isComposing) view.dom.ownerDocument.dispatchEvent(new Event("selectionchange"));
          return false;
        },
      },
    },
  });
