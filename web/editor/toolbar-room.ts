/** How much of the window's top lies under the bars, so that what is written never hides behind them. */
import { Plugin } from "@milkdown/kit/prose/state";
import type { EditorView } from "@milkdown/kit/prose/view";
import { frameOf } from "./frame.ts";

export const margin = 24;

/** Pixels from the window's top to below the page's own bar and the toolbar, of many rows on a phone, with some air. */
export function coveredAbove(view: EditorView): number {
  const toolbar = frameOf(view)?.querySelector("[role=toolbar]");
  return toolbar ? (parseFloat(getComputedStyle(toolbar).top) || 0) + toolbar.clientHeight + margin : margin;
}

/** Wherever the caret is scrolled into sight, it comes to stand clear of the toolbar and of the window's end. */
export function toolbarRoom(): Plugin {
  // ProseMirror keeps the object itself: it is measured anew each time, the rows change with the width
  const sides = { top: margin, right: 5, bottom: margin * 2, left: 5 };
  return new Plugin({
    props: {
      scrollThreshold: sides,
      scrollMargin: sides,
      handleScrollToSelection(view) {
        sides.top = coveredAbove(view);
        return false;
      },
    },
  });
}
