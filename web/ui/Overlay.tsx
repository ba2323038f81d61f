import { useLayoutEffect } from "react";

/** The number of overlays shown. A question can be over a dialog. */
let shown = 0;

/**
 * Dims the page behind a dialog, and a dialog behind a question. Both have the same z-index, so later ones are above.
 * Radix' own overlay isn't used: it writes a `<style>` element to stop the page from scrolling, which the content
 * security policy forbids. `styles.css` stops it by `[data-overlaid]`.
 */
export function Overlay() {
  useLayoutEffect(() => {
    const { dataset, style } = document.documentElement;
    if (shown++ === 0) {
      // Fixed elements don't reach into the room of a scroll bar, so padding replaces it and the page doesn't move. The
      // body is measured, because the room is reserved even if the page fits in the window.
      const { width } = document.body.getBoundingClientRect();
      style.setProperty("--scrollbar", `${Math.max(0, window.innerWidth - width)}px`);
      dataset["overlaid"] = "";
    }
    return () => {
      if (--shown > 0) return;
      delete dataset["overlaid"];
      style.removeProperty("--scrollbar");
    };
  }, []);
  return <div data-overlay className="fixed inset-0 z-50 animate-appear bg-overlay" />;
}
