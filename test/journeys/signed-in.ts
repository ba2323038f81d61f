/**
 * Opens the application in a real browser, as a signed-in user, and records its console. Every journey starts with it.
 */
import { existsSync } from "node:fs";
import path from "node:path";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import type { TestServer, TestUser } from "../server.ts";
import { hasChromium } from "./browser.ts";

type Server = Pick<TestServer, "url">;

/** Says whether there is a browser and a build. Without them it prints a warning; with CI set, that is a failure. */
export function canWalk(journey: string): boolean {
  const isBuilt = existsSync(path.resolve("dist/web/index.html"));
  if (!isBuilt) {
    const how = "dist/web is not built (npm run build)";
    if (process.env["CI"] === "true") throw new Error(how);
    console.warn(`NOT BUILT: ${how}; skipped: ${journey}`);
  }
  return isBuilt && hasChromium(journey);
}

/** Opens a separate browser, which shares no cookies or storage. @param user null: signed out */
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
 * @param complaints gets the console's messages and uncaught errors
 * @param expected the browser's own lines for refusals that a scenario expects
 */
export function hearConsole(page: Page, complaints: string[], expected?: RegExp): void {
  page.on("console", (message) => {
    if (!expected?.test(message.text())) complaints.push(`${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => complaints.push(`uncaught: ${error.message}`));
}

/** Records the page's console. */
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
