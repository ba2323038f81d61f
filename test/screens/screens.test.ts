/**
 * Every screen and state has no faults from axe, nothing outside its container at three widths, and a quiet console.
 * This also holds with text twice as large or spaced out. axe checks each once: screens wide and light, states narrow
 * and dark. The nightly run checks all of them wide and narrow, light and dark.
 */
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchChromium } from "../journeys/browser.ts";
import { axeFaultsOf, colors, useTheme } from "../journeys/page-faults.ts";
import { isNightly } from "../nightly.ts";
import { openDemo, type Demo } from "./demo.ts";
import { layoutFaultsOf, sidewaysFaultsOf } from "./layout-faults.ts";
import { openNext, openPage } from "./open-screen.ts";
import { screens } from "./screens.ts";
import { states } from "./states.ts";
import { targetFaultsOf } from "./target-faults.ts";
import { textFaultsOf, useTextSize, useWideText } from "./text-faults.ts";
import { canWalk } from "../journeys/signed-in.ts";
import { protectedScreens, publicScreens, screenForPath } from "../../web/screens.ts";

describe.skipIf(!canWalk("every screen in a browser"))("every screen", () => {
  let demo: Demo;
  let browser: Browser;
  let context: BrowserContext;

  beforeAll(async () => {
    [demo, browser] = await Promise.all([openDemo(), launchChromium()]);
    context = await browser.newContext({ reducedMotion: "reduce" });
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await demo?.stop();
  });

  it("are those of every address there is", async () => {
    const addresses = await Promise.all(
      screens.map(({ address }) => (typeof address === "string" ? address : address(demo))),
    );
    const paths = addresses.map((address) => address.replace(/[?#].*/, ""));
    const unseen = [publicScreens, protectedScreens].flatMap((all) =>
      all.filter((one) => !paths.some((path) => screenForPath(all, path) === one)).map(({ path }) => path),
    );
    expect(unseen).toEqual([]);
  });

  it.each(screens.map((screen) => [screen.name, screen] as const))("%s", async (_, screen) => {
    const wide = await openNext(context, demo, screen, { width: 1280 });
    const faults: Record<string, string[]> = {};
    faults["1280 axe"] = await axeFaultsOf(wide.page);
    if (isNightly) faults["1280 axe, dark"] = await darkFaultsOf(wide.page);
    faults["1280"] = await boxFaultsOf(wide.page);
    faults["1280, targets"] = await lasting(targetFaultsOf, wide.page);
    const useUsualText = await useWideText(wide.page);
    faults["1280, text spaced out"] = await boxFaultsOf(wide.page);
    await useUsualText();
    await useTextSize(wide.page, 32);
    faults["1280, text at 200 %"] = await boxFaultsOf(wide.page);
    await useTextSize(wide.page, 16);
    faults["1280, letters alone at 200 %"] = await lasting(sidewaysFaultsOf, wide.page);
    await wide.page.close();
    // narrow screens are loaded again: they open their parts in another way
    const narrow = await openPage(context, demo, screen, { width: 320 });
    faults["320"] = await lasting(layoutFaultsOf, narrow.page);
    faults["320, targets"] = await lasting(targetFaultsOf, narrow.page);
    if (isNightly) faults["320 axe"] = await axeFaultsOf(narrow.page);
    await narrow.page.setViewportSize({ width: 390, height: 900 });
    faults["390"] = await lasting(layoutFaultsOf, narrow.page);
    if (isNightly) faults["390 axe, dark"] = await darkFaultsOf(narrow.page);
    faults["390, targets"] = await lasting(targetFaultsOf, narrow.page);
    await useWideText(narrow.page);
    faults["390, text spaced out"] = await boxFaultsOf(narrow.page);
    faults["console"] = [...wide.complaints, ...narrow.complaints];
    expectNone(faults);
  });

  // The screens themselves are tested above with every size of text and every width. States are made narrow after
  // opening.
  it.each(states.map((state) => [state.name, state] as const))("%s", async (_, state) => {
    const { page, complaints } = await openNext(context, demo, state, { width: 1280 });
    const faults: Record<string, string[]> = {};
    if (isNightly) faults["1280 axe"] = await axeFaultsOf(page);
    await useTheme(page, "dark");
    if (isNightly) faults["1280 axe, dark"] = await axeFaultsOf(page, colors);
    faults["1280"] = await boxFaultsOf(page);
    faults["1280, targets"] = await lasting(targetFaultsOf, page);
    await page.setViewportSize({ width: 320, height: 900 });
    // leaves out targets under the assistant's button: the check of targets below scrolls them into view
    faults["320 axe, dark"] = (await axeFaultsOf(page)).filter((fault) => !fault.startsWith("target-size:"));
    faults["320, dark"] = await boxFaultsOf(page);
    faults["320, targets"] = await lasting(targetFaultsOf, page);
    await page.setViewportSize({ width: 390, height: 900 });
    faults["390, dark"] = await boxFaultsOf(page);
    faults["390, targets"] = await lasting(targetFaultsOf, page);
    faults["console"] = complaints;
    expectNone(faults);
  });
});

function expectNone(faults: Record<string, string[]>): void {
  expect(Object.fromEntries(Object.entries(faults).filter(([, list]) => list.length > 0))).toEqual({});
}

/** Faults that only the dark theme can add: colors. */
async function darkFaultsOf(page: Page): Promise<string[]> {
  await useTheme(page, "dark");
  return axeFaultsOf(page, colors);
}

const boxFaultsOf = (page: Page) => lasting(boxFaultsNow, page);

async function boxFaultsNow(page: Page): Promise<string[]> {
  return [...(await layoutFaultsOf(page)), ...(await textFaultsOf(page))];
}

/** Checks again after a moment, so that moving parts are in place, such as an open list in a resized window. */
async function lasting(look: (page: Page) => Promise<string[]>, page: Page): Promise<string[]> {
  let found = await look(page);
  for (let again = 0; found.length > 0 && again < 6; again += 1) {
    await page.waitForTimeout(500);
    found = await look(page);
  }
  return found;
}
