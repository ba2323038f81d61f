/** A page at rest: what a picture, a measure or a look at its colours waits for. */
import type { Page } from "playwright-core";

/** Waits for transitions and animations to end; what turns for ever, a spinner, is not waited for. */
export async function waitUntilStill(page: Page): Promise<void> {
  const isStill = () =>
    document.getAnimations().every(({ playState, effect }) => {
      return playState !== "running" || effect?.getComputedTiming().endTime === Infinity;
    });
  // asked again and again: the `finished` of an animation that the engine has let go of stays open for ever
  await page.waitForFunction(isStill, undefined, { polling: 20 });
}
