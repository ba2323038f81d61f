import type { Browser, BrowserContext, Page } from "playwright-core";
import type { Demo } from "./demo.ts";
import type { Screen } from "./screens.ts";

export interface Opened {
  page: Page;
  /** Errors and warnings of the console so far. */
  complaints: string[];
  context: BrowserContext;
}

export async function openScreen(
  browser: Browser,
  demo: Demo,
  screen: Screen,
  look: { width: number; height?: number; theme?: "light" | "dark" },
): Promise<Opened> {
  const { width, height = 900, theme = "light" } = look;
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: theme,
    reducedMotion: "reduce",
  });
  if (screen.as !== null) await demo.signIn(context, screen.as);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => {
    const text = message.text();
    if (!["error", "warning"].includes(message.type()) || screen.provokes?.test(text)) return;
    complaints.push(`${message.type()}: ${text}`);
  });
  page.on("pageerror", (error) => complaints.push(`uncaught: ${error.message}`));
  const address = typeof screen.address === "string" ? screen.address : screen.address(demo);
  await page.goto(new URL(address, demo.url).href);
  await screen.ready(page);
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  return { page, complaints, context };
}

/** Waits until nothing has been fetched for half a second: parts that come after the first picture are then there. */
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
