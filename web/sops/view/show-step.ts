import { findStep } from "./find-step.ts";
import type { StepTarget } from "./step-target.ts";

/** Its look: reading.css. */
const standsOut = ["found-step", "rounded-sm"];
/** What loads after the text may still move it. */
const settledAfterMs = 1_500;
const taking = ["wheel", "touchstart", "pointerdown", "keydown"] as const;

/** Goes to the step, at once: who asked for it does not want to see the rest fly by. @returns takes everything back */
export function showStep(article: HTMLElement, target: StepTarget): () => void {
  const found = findStep(article, target);
  if (!found) return () => undefined;
  const fold = found.closest("details");
  if (fold) fold.open = true;
  const tabIndex = found.getAttribute("tabindex");
  found.classList.add(...standsOut);
  found.tabIndex = -1;
  const show = () => found.scrollIntoView({ block: "center", behavior: "instant" });
  // after the frame has gone to the top of a new screen
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

/** Each time the page grows or shrinks, until its layout has settled or the user scrolls or types. */
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
