/** `sop serve` in a real browser: changes on disk show on screen without a reload. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Browser, Page } from "playwright-core";
import { makeFolder, runSop, type Folder } from "../cli/run-sop.ts";
import { hasChromium, launchChromium } from "./browser.ts";
import { hearConsole } from "./signed-in.ts";

const written = (step: string) =>
  `---\ntitle: "Tea"\ndescription: "D"\nowner: "eve"\n---\n\n## Procedure\n\n1. ${step}\n2. Pour.\n\n<img src=x onerror="document.title='broken in'">\n`;

/** Until a change was announced to this listener. */
async function announced({ body }: Response): Promise<void> {
  let heard = "";
  for await (const piece of body ?? []) {
    heard += Buffer.from(piece).toString();
    if (heard.includes("event: change")) return;
  }
  throw new Error(`only heard: ${heard}`);
}

describe.skipIf(!hasChromium("the preview of a workspace"))("the preview", () => {
  let browser: Browser;
  let folder: Folder;
  let stop: (signal: NodeJS.Signals) => void = () => {};
  let url: string;

  beforeAll(async () => {
    folder = makeFolder({ "sop.config.yaml": "preset: minimal\n", "sops/it/tea.md": written("Boil.") });
    url = await new Promise<string>((found, reject) => {
      runSop(["serve", "--port", "0"], {
        cwd: folder.path,
        started: (kill, stdout) => {
          stop = kill;
          stdout.on("data", (text: string) => {
            const address = /^Preview at (\S+)$/m.exec(text)?.[1];
            if (address !== undefined) found(address);
          });
        },
      }).then(({ stderr }) => reject(new Error(stderr)), reject);
    });
    browser = await launchChromium();
  }, 90_000);
  afterAll(async () => {
    await browser?.close();
    stop("SIGKILL");
    folder.remove();
  });

  test("follows the file, on a phone and in the dark too, and runs nothing of the text", async () => {
    const context = await browser.newContext({ viewport: { width: 390, height: 800 }, colorScheme: "dark" });
    const page = await context.newPage();
    const faults: string[] = [];
    hearConsole(page, faults);
    await page.goto(url);
    await page.getByRole("link", { name: "Tea" }).click();
    await page.getByText("Boil.").waitFor();
    await page.evaluate(() => Object.assign(window, { stayed: true }));
    folder.write({ "sops/it/tea.md": written("Boil the water. TODO") });
    await page.getByText("Boil the water.").waitFor();
    await page.getByText("Replace the placeholder TODO").waitFor();
    expect(await page.evaluate(() => "stayed" in window)).toBe(true);
    expect(await page.title()).toBe("Tea");
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
    const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    expect(background).not.toBe(await lightBackground());
    expect(faults).toEqual([]);
    await context.close();
  });

  test("shows what changed before it listened", async () => {
    folder.write({ "sops/it/tea.md": written("Boil.") });
    const context = await browser.newContext();
    const page = await context.newPage();
    const listening = Promise.withResolvers<void>();
    await page.route("**/events", async (route) => {
      await listening.promise;
      await route.continue();
    });
    const cookie = await signedIn(page);
    const asked = page.waitForRequest("**/events");
    await page.goto(new URL("/doc/sops/it/tea.md", url).href);
    await page.getByText("Boil.").waitFor();
    await asked;
    const events = await fetch(new URL("/events", url), { headers: { cookie } });
    folder.write({ "sops/it/tea.md": written("Boil the milk.") });
    await announced(events);
    listening.resolve();
    await page.getByText("Boil the milk.").waitFor();
    await context.close();
  });

  /** The address has a key; its page leads on to the list. @returns the cookie that the browser keeps */
  async function signedIn(page: Page): Promise<string> {
    await page.goto(url);
    await page.getByRole("link", { name: "Tea" }).waitFor();
    const [{ name, value } = { name: "", value: "" }] = await page.context().cookies();
    return `${name}=${value}`;
  }

  async function lightBackground(): Promise<string> {
    const page = await browser.newPage({ colorScheme: "light" });
    await signedIn(page);
    const color = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    await page.close();
    return color;
  }
});
