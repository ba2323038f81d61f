/** Every screen and state: nothing axe finds in either theme, nothing out of its container at three widths, nor with letters twice as large or further apart, a quiet console. */
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchChromium } from "../journeys/browser.ts";
import { colors, faultsInBothThemes, faultsOf, useTheme } from "../journeys/page-faults.ts";
import { openDemo, type Demo } from "./demo.ts";
import { layoutFaultsOf } from "./layout-faults.ts";
import { openNext, openPage } from "./open-screen.ts";
import { screens } from "./screens.ts";
import { states } from "./states.ts";
import { targetFaultsOf } from "./target-faults.ts";
import { textFaultsOf, useTextSize, useWideText } from "./text-faults.ts";
import { canWalk } from "../journeys/signed-in.ts";
import { protectedScreens, publicScreens, screenAt } from "../../web/screens.ts";

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
      all.filter((one) => !paths.some((path) => screenAt(all, path) === one)).map(({ path }) => path),
    );
    expect(unseen).toEqual([]);
  });

  it.each(screens.map((screen) => [screen.name, screen] as const))("%s", async (_, screen) => {
    const wide = await openNext(context, demo, screen, { width: 1280 });
    const faults: Record<string, string[]> = {};
    Object.assign(faults, await faultsInBothThemes(wide.page));
    faults["1280"] = await boxFaultsOf(wide.page);
    faults["1280, targets"] = await lasting(targetFaultsOf, wide.page);
    await useTextSize(wide.page, 32);
    faults["1280, text at 200 %"] = await boxFaultsOf(wide.page);
    await useTextSize(wide.page, 16);
    await useWideText(wide.page);
    faults["1280, text spaced out"] = await boxFaultsOf(wide.page);
    await wide.page.close();
    // a narrow screen is another one, with its own way to what is open on it
    const narrow = await openPage(context, demo, screen, { width: 320 });
    faults["320"] = await lasting(layoutFaultsOf, narrow.page);
    faults["320, targets"] = await lasting(targetFaultsOf, narrow.page);
    faults["320 axe"] = await faultsOf(narrow.page);
    await narrow.page.setViewportSize({ width: 390, height: 900 });
    // a theme is colours: what it may spoil is the contrast of what only a narrow screen shows
    await useTheme(narrow.page, "dark");
    faults["390, dark"] = [...(await lasting(layoutFaultsOf, narrow.page)), ...(await faultsOf(narrow.page, colors))];
    faults["390, targets"] = await lasting(targetFaultsOf, narrow.page);
    await useWideText(narrow.page);
    faults["390, text spaced out"] = await boxFaultsOf(narrow.page);
    faults["console"] = [...wide.complaints, ...narrow.complaints];
    expectNone(faults);
  });

  // Their screens are looked at above with every size of text and at every width: what is opened on them is made narrow as it stands.
  it.each(states.map((state) => [state.name, state] as const))("%s", async (_, state) => {
    const { page, complaints } = await openNext(context, demo, state, { width: 1280 });
    const faults: Record<string, string[]> = {};
    Object.assign(faults, await faultsInBothThemes(page));
    faults["1280"] = await boxFaultsOf(page);
    faults["1280, targets"] = await lasting(targetFaultsOf, page);
    await page.setViewportSize({ width: 320, height: 900 });
    // a target that the assistant's button lies over just now is scrolled out from under it below
    const found = (await faultsOf(page)).filter((fault) => !fault.startsWith("target-size:"));
    faults["320, dark"] = [...(await boxFaultsOf(page)), ...found];
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

const boxFaultsOf = (page: Page) => lasting(boxFaultsNow, page);

async function boxFaultsNow(page: Page): Promise<string[]> {
  return [...(await layoutFaultsOf(page)), ...(await textFaultsOf(page))];
}

/** What is about to move to its place, as an open list does where the window got narrower, is looked at there. */
async function lasting(look: (page: Page) => Promise<string[]>, page: Page): Promise<string[]> {
  let found = await look(page);
  for (let again = 0; found.length > 0 && again < 6; again += 1) {
    await page.waitForTimeout(500);
    found = await look(page);
  }
  return found;
}
