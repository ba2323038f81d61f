/** The parts of the window that bars cover, so that the caret never hides behind a bar. */
import { Plugin } from "@milkdown/kit/prose/state";

export const margin = 24;

/** Pixels from the window's top to below the page's bar, with some space: `scroll-padding` in `editor.css`. */
export const heightCoveredAbove = (): number => scrollPadding("scrollPaddingTop");

const scrollPadding = (side: "scrollPaddingTop" | "scrollPaddingBottom"): number =>
  parseFloat(getComputedStyle(document.documentElement)[side]) || margin;

/** Makes ProseMirror keep the same distance when it scrolls to the caret. */
export function scrollMarginPlugin(): Plugin {
  // ProseMirror keeps this object and reads it each time, so changing its values is enough.
  const sides = { top: margin, right: 5, bottom: margin * 2, left: 5 };
  return new Plugin({
    props: {
      scrollThreshold: sides,
      scrollMargin: sides,
      handleScrollToSelection() {
        sides.top = heightCoveredAbove();
        sides.bottom = scrollPadding("scrollPaddingBottom");
        return false;
      },
    },
  });
}
