import { openFoldsAround } from "./anchors.ts";
import { findPlace } from "./find-step.ts";
import type { StepTarget } from "./step-target.ts";

/** The classes that highlight the step (`reading.css`). */
const standsOut = ["found-step", "rounded-sm"];
/** Milliseconds in which content that loads later can still move the step. */
const settledAfterMs = 1_500;
const userEvents = ["wheel", "touchstart", "pointerdown", "keydown"] as const;

/** Scrolls to the words without animation and highlights their step. @returns a function that removes the highlight */
export function showStep(article: HTMLElement, target: StepTarget): () => void {
  const place = findPlace(article, target);
  if (!place) return () => undefined;
  const { piece: found, words } = place;
  openFoldsAround(found);
  const around = words?.startContainer.parentElement;
  if (around) openFoldsAround(around);
  const tabIndex = found.getAttribute("tabindex");
  found.classList.add(...standsOut);
  found.tabIndex = -1;
  const scrollToStep = () => {
    found.scrollIntoView({ block: "center", behavior: "instant" });
    if (words) centerIfOutside(words);
  };
  // The shell scrolls a new screen to its top first.
  const frame = requestAnimationFrame(() => {
    scrollToStep();
    found.focus({ preventScroll: true });
  });
  const stop = runWhileSettling(scrollToStep);
  return () => {
    cancelAnimationFrame(frame);
    stop();
    found.classList.remove(...standsOut);
    if (tabIndex === null) found.removeAttribute("tabindex");
    else found.setAttribute("tabindex", tabIndex);
  };
}

/** Scrolls to the words if they aren't visible, because a step can be longer than the screen. */
function centerIfOutside(words: Range): void {
  // jsdom has no layout and lacks this function.
  if (typeof words.getBoundingClientRect !== "function") return;
  const { top, bottom, height } = words.getBoundingClientRect();
  if (height === 0 || (top > innerHeight / 5 && bottom < innerHeight * 0.9)) return;
  window.scrollBy({ top: top - innerHeight / 2, behavior: "instant" });
}

/** Calls `act` whenever the page's height changes, until the layout has settled or the user scrolls or types. */
function runWhileSettling(act: () => void): () => void {
  const observer = new ResizeObserver(act);
  const stopObserving = () => {
    observer.disconnect();
    clearTimeout(timer);
    for (const event of userEvents) window.removeEventListener(event, stopObserving);
  };
  const timer = setTimeout(stopObserving, settledAfterMs);
  observer.observe(document.body);
  for (const event of userEvents) window.addEventListener(event, stopObserving, { passive: true });
  return stopObserving;
}
