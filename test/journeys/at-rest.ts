/** Waits until a page is at rest, before a screenshot, a measurement or a check of its colors. */
import type { Page } from "playwright-core";

/** Waits for transitions and animations to end, except endless ones such as a spinner. */
export async function waitUntilStill(page: Page): Promise<void> {
  const isStill = () =>
    document.getAnimations().every(({ playState, effect }) => {
      return playState !== "running" || effect?.getComputedTiming().endTime === Infinity;
    });
  // polled, because the `finished` promise of a dropped animation never settles
  await page.waitForFunction(isStill, undefined, { polling: 20 });
}
