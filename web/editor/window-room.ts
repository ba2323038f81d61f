/** Measures the parts of the window that bars cover, so that the caret is never behind a bar. */
import { Plugin } from "@milkdown/kit/prose/state";

export const minScrollMargin = 24;

/**
 * Returns the pixels from the window's top that the page's bars cover, with a margin: `scroll-padding` in `editor.css`.
 */
export const heightCoveredAbove = (): number => scrollPaddingOf("scrollPaddingTop");

const scrollPaddingOf = (side: "scrollPaddingTop" | "scrollPaddingBottom"): number =>
  parseFloat(getComputedStyle(document.documentElement)[side]) || minScrollMargin;

/** Makes ProseMirror scroll far enough that the caret isn't behind a bar. */
export function scrollMarginPlugin(): Plugin {
  // ProseMirror keeps this object and reads it each time, so changing its values is enough.
  const sides = { top: minScrollMargin, right: 5, bottom: minScrollMargin * 2, left: 5 };
  return new Plugin({
    props: {
      scrollThreshold: sides,
      scrollMargin: sides,
      handleScrollToSelection() {
        sides.top = heightCoveredAbove();
        sides.bottom = scrollPaddingOf("scrollPaddingBottom");
        return false;
      },
    },
  });
}
