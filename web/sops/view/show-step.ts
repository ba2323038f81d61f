import { findStep } from "./find-step.ts";
import type { StepTarget } from "./step-target.ts";

/** Classes that highlight the step (reading.css). */
const standsOut = ["found-step", "rounded-sm"];
/** Milliseconds in which content that loads later can still move the step. */
const settledAfterMs = 1_500;
const taking = ["wheel", "touchstart", "pointerdown", "keydown"] as const;

/** Scrolls to the step without animation and highlights it. @returns a function that removes the highlight */
export function showStep(article: HTMLElement, target: StepTarget): () => void {
  const found = findStep(article, target);
  if (!found) return () => undefined;
  const fold = found.closest("details");
  if (fold) fold.open = true;
  const tabIndex = found.getAttribute("tabindex");
  found.classList.add(...standsOut);
  found.tabIndex = -1;
  const show = () => found.scrollIntoView({ block: "center", behavior: "instant" });
  // The shell scrolls a new screen to its top first.
  const frame = requestAnimationFrame(() => {
    show();
    found.focus({ preventScroll: true });
  });
  const stop = whileSettling(show);
  return () => {
    cancelAnimationFrame(frame);
    stop();
    found.classList.remove(...standsOut);
    if (tabIndex === null) found.removeAttribute("tabindex");
    else found.setAttribute("tabindex", tabIndex);
  };
}

/** Calls `act` whenever the page's height changes, until the layout has settled or the user scrolls or types. */
function whileSettling(act: () => void): () => void {
  const observer = new ResizeObserver(act);
  const stop = () => {
    observer.disconnect();
    clearTimeout(timer);
    for (const event of taking) window.removeEventListener(event, stop);
  };
  const timer = setTimeout(stop, settledAfterMs);
  observer.observe(document.body);
  for (const event of taking) window.addEventListener(event, stop, { passive: true });
  return stop;
}
