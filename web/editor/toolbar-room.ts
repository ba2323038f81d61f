/** How much of the window's ends lies under bars, so that what is written never hides behind them. */
import { Plugin } from "@milkdown/kit/prose/state";

export const margin = 24;

/**
 * The `ref` of the toolbar. Where the browser itself scrolls a caret into sight, by an arrow key or in the source, it keeps
 * it clear of the page's own bar and of the toolbar, whose rows change with the width.
 */
export function keepRoom(toolbar: HTMLElement | null): (() => void) | undefined {
  if (!toolbar) return undefined;
  const { style } = document.documentElement;
  const room = new ResizeObserver(() => {
    const top = parseFloat(getComputedStyle(toolbar).top) || 0;
    style.scrollPadding = `${top + toolbar.clientHeight + margin}px 0 ${margin * 2}px`;
  });
  room.observe(toolbar);
  return () => {
    room.disconnect();
    style.scrollPadding = "";
  };
}

/** Pixels from the window's top to below the bars, with some air. */
export const coveredAbove = (): number => parseFloat(document.documentElement.style.scrollPaddingTop) || margin;

/** When ProseMirror scrolls the caret into view, it keeps the same distance. */
export function toolbarRoom(): Plugin {
  // it keeps the object itself, and reads it each time
  const sides = { top: margin, right: 5, bottom: margin * 2, left: 5 };
  return new Plugin({
    props: {
      scrollThreshold: sides,
      scrollMargin: sides,
      handleScrollToSelection() {
        sides.top = coveredAbove();
        return false;
      },
    },
  });
}
