/** How much of the window's ends lies under bars, so that what is written never hides behind them. */
import { Plugin } from "@milkdown/kit/prose/state";

export const margin = 24;

/** Pixels from the window's top to below the page's own bar, with some air: `scroll-padding` in `editor.css`. */
export const coveredAbove = (): number => scrollPadding("scrollPaddingTop");

const scrollPadding = (side: "scrollPaddingTop" | "scrollPaddingBottom"): number =>
  parseFloat(getComputedStyle(document.documentElement)[side]) || margin;

/** When ProseMirror scrolls the caret into view, it keeps the same distance. */
export function windowRoom(): Plugin {
  // it keeps the object itself, and reads it each time
  const sides = { top: margin, right: 5, bottom: margin * 2, left: 5 };
  return new Plugin({
    props: {
      scrollThreshold: sides,
      scrollMargin: sides,
      handleScrollToSelection() {
        sides.top = coveredAbove();
        sides.bottom = scrollPadding("scrollPaddingBottom");
        return false;
      },
    },
  });
}
