/** Every screen: nothing axe finds in either theme, nothing out of its container at three widths, a quiet console. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchChromium } from "../journeys/browser.ts";
import { faultsOf, useTheme } from "../journeys/page-faults.ts";
import { openDemo, type Demo } from "./demo.ts";
import { layoutFaultsOf } from "./layout-faults.ts";
import { openPage, openScreen } from "./open-screen.ts";
import { screens } from "./screens.ts";
import { canWalk } from "../journeys/signed-in.ts";

describe.skipIf(!canWalk("every screen in a browser"))("every screen", () => {
  let demo: Demo;
  let browser: Browser;

  beforeAll(async () => {
    [demo, browser] = await Promise.all([openDemo(), launchChromium()]);
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await demo?.stop();
  });

  it.each(screens.map((screen) => [screen.name, screen] as const))("%s", async (_, screen) => {
    const wide = await openScreen(browser, demo, screen, { width: 1280 });
    const faults: Record<string, string[]> = {};
    for (const theme of ["light", "dark"] as const) {
      await useTheme(wide.page, theme);
      faults[theme] = await faultsOf(wide.page);
    }
    faults["1280"] = await layoutFaultsOf(wide.page);
    await wide.page.close();
    // a narrow screen is another one, with its own way to what is open on it
    const narrow = await openPage(wide.context, demo, screen, { width: 320 });
    faults["320"] = await layoutFaultsOf(narrow.page);
    faults["320 axe"] = await faultsOf(narrow.page);
    await narrow.page.setViewportSize({ width: 390, height: 900 });
    faults["390"] = await layoutFaultsOf(narrow.page);
    await narrow.context.close();
    faults["console"] = [...wide.complaints, ...narrow.complaints];
    expect(Object.fromEntries(Object.entries(faults).filter(([, list]) => list.length > 0))).toEqual({});
  });
});
