/** The application in a real browser, as somebody who is signed in, with an ear to its console: what every journey starts with. */
import { existsSync } from "node:fs";
import path from "node:path";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import type { TestServer, TestUser } from "../server.ts";
import { hasChromium } from "./browser.ts";

type Server = Pick<TestServer, "url">;

/** Whether there is a browser and something to show in it. Without it is said aloud; where CI is set that is a failure. */
export function canWalk(journey: string): boolean {
  const isBuilt = existsSync(path.resolve("dist/web/index.html"));
  if (!isBuilt) {
    const how = "dist/web is not built (npm run build)";
    if (process.env["CI"] === "true") throw new Error(how);
    console.warn(`NOT BUILT: ${how}; skipped: ${journey}`);
  }
  return isBuilt && hasChromium(journey);
}

/** A browser of somebody's own: cookies and storage are shared with nobody. @param user null: nobody is signed in */
export async function signedIn(
  browser: Browser,
  { url }: Server,
  user: Pick<TestUser, "cookie"> | null,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  if (user) {
    const [name = "", value = ""] = user.cookie.split("=");
    await context.addCookies([{ name, value, url }]);
  }
  return context;
}

/**
 * @param complaints gets what the console says, and what is thrown and not caught
 * @param expected the browser's own lines for the refusals that a scenario provokes
 */
export function hearConsole(page: Page, complaints: string[], expected?: RegExp): void {
  page.on("console", (message) => {
    if (!expected?.test(message.text())) complaints.push(`${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => complaints.push(`uncaught: ${error.message}`));
}

/** With an ear to its console. */
export async function openPage(
  context: BrowserContext,
  { url }: Server,
  address: string,
  complaints: string[],
  expected?: RegExp,
): Promise<Page> {
  const page = await context.newPage();
  hearConsole(page, complaints, expected);
  await page.goto(new URL(address, url).href);
  return page;
}
