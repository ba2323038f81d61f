import type { Browser, BrowserContext, Page } from "playwright-core";
import type { Demo } from "./demo.ts";
import type { Screen } from "./screens.ts";

export interface Opened {
  page: Page;
  /** Errors and warnings of the console so far. */
  complaints: string[];
  context: BrowserContext;
}

interface Size {
  width: number;
  height?: number;
}

export async function openScreen(
  browser: Browser,
  demo: Demo,
  screen: Screen,
  look: Size & { theme?: "light" | "dark"; isPhone?: boolean },
): Promise<Opened> {
  const { theme = "light", isPhone = false } = look;
  const context = await browser.newContext({
    colorScheme: theme,
    reducedMotion: "reduce",
    ...(isPhone && { isMobile: true, hasTouch: true, viewport: { width: look.width, height: look.height ?? 900 } }),
  });
  if (screen.as !== null) await demo.signIn(context, screen.as);
  return openPage(context, demo, screen, look);
}

/** Reuses a browser that has loaded the application's code, which halves the work. The earlier screen's data is removed. */
export async function openNext(context: BrowserContext, demo: Demo, screen: Screen, size: Size): Promise<Opened> {
  await Promise.all(context.pages().map((page) => page.close()));
  await context.setStorageState({ cookies: [], origins: [] });
  if (screen.as !== null) await demo.signIn(context, screen.as);
  return openPage(context, demo, screen, size);
}

export async function openPage(
  context: BrowserContext,
  demo: Demo,
  screen: Screen,
  { width, height = 900 }: Size,
): Promise<Opened> {
  const page = await context.newPage();
  await page.setViewportSize({ width, height });
  const complaints: string[] = [];
  page.on("console", (message) => {
    const text = message.text();
    if (!["error", "warning"].includes(message.type()) || screen.provokes?.test(text)) return;
    complaints.push(`${message.type()}: ${text}`);
  });
  page.on("pageerror", (error) => complaints.push(`uncaught: ${error.message}`));
  const address = typeof screen.address === "string" ? screen.address : await screen.address(demo);
  await screen.before?.(page);
  await page.goto(new URL(address, demo.url).href);
  await screen.ready(page, demo);
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  return { page, complaints, context };
}

/** Waits until no request was sent for half a second, so that parts loaded later are there. */
export async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    let before = -1;
    for (let round = 0; round < 20; round++) {
      const fetched = performance.getEntriesByType("resource").length;
      if (fetched === before) return;
      before = fetched;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  });
}
