import { useLayoutEffect } from "react";

/** How many are shown: a question can be over a dialog. */
let shown = 0;

/**
 * Dims the page behind a dialog, and a dialog behind a question (as high as they: what comes later lies above). Not Radix'
 * own: that one writes a `<style>` element to stop the page from scrolling, which the content security policy forbids;
 * `styles.css` does it by `[data-overlaid]`.
 */
export function Overlay() {
  useLayoutEffect(() => {
    const { dataset, style } = document.documentElement;
    if (shown++ === 0) {
      // what is fixed doesn't reach into a scrollbar's room: padding takes its place, so the page stays where it is
      // measured at the body: the room is kept also where the page fits the window
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
