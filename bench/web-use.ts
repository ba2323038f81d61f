/** `bench web:use`: how long each action of an author's day takes until its result is visible, and what jumps during it. */
import type { Locator, Page } from "playwright-core";
import { figureBesidePeer, round, type Figure } from "./figure.ts";
import { textOf } from "./web-editor.ts";
import { waitUntilStill } from "./web-load.ts";
import { openPage, slow, slowText, type WebSite } from "./web-site.ts";
import { serveStill } from "./web-still.ts";
import { interactions, layoutShift } from "./web-vitals.ts";

export async function* use(site: WebSite): AsyncGenerator<Figure> {
  const floor = await still(site);
  const id = await site.write("Start the pumps of line 7", textOf(10 * 1024));
  const { page, close } = await site.open({ signedIn: true, cpu: slow.cpu, slowLine: true });
  await page.goto(`${site.url}/sops`);
  await waitUntilStill(page);
  await inList(page);
  await inSop(page, site.url, id);
  await inEditor(page);
  const ours = await taken(page);
  const shift = await layoutShift(page);
  await close();
  for (const one of ours.slowest.slice(0, 5))
    process.stderr.write(`bench web:use: ${one.ms} ms ${one.name} ${one.target}\n`);
  const name = `web INP, p95 of ${ours.count} interactions, ${slowText}; typing into a still`;
  yield figureBesidePeer(name, "ms", ours.p95, floor, "≤ 200");
  yield { name: "web INP, the slowest", value: ours.slowest[0]?.ms ?? 0, unit: "ms" };
  yield {
    name: `web CLS, while it is used${shift.value > 0 ? ` (${shift.nodes})` : ""}`,
    value: round(shift.value),
    unit: "",
    goal: "≤ 0.02",
  };
}

/** The browser doesn't report interactions painted within a frame; they count as 16 ms. */
async function taken(page: Page) {
  await page.waitForTimeout(500);
  const { count, slowest } = await interactions(page);
  const all = [...slowest.map(({ ms }) => ms), ...Array.from({ length: count - slowest.length }, () => 16)];
  return { count, slowest, p95: all[Math.floor(all.length * 0.05)] ?? 0 };
}

/** The sign-in as a page without scripts: the browser's and machine's own time for a letter. */
async function still(site: WebSite): Promise<number> {
  const made = await site.open({});
  await made.page.goto(`${site.url}/login`);
  await waitUntilStill(made.page);
  const served = await serveStill(made.page);
  await made.close();
  const { page, close } = await openPage(site.browser, null, { cpu: slow.cpu });
  try {
    await page.goto(served.url);
    await page.locator("input").first().click();
    await type(page, "how long does a letter take");
    return (await taken(page)).p95;
  } finally {
    await close();
    served.close();
  }
}

/** Typed at a practiced user's speed. */
const type = (page: Page, words: string) => page.keyboard.type(words, { delay: 100 });

async function click(target: Locator): Promise<void> {
  await target.click();
  await target.page().waitForTimeout(300);
}

const to = (page: Page, name: RegExp) =>
  page.getByRole("navigation", { name: "Main navigation" }).getByRole("link", { name });

async function press(page: Page, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    await page.keyboard.press(key);
    await page.waitForTimeout(150);
  }
}

async function inList(page: Page): Promise<void> {
  await click(page.getByRole("button", { name: "Grid view" }));
  await click(page.getByRole("button", { name: "List view" }));
  await click(page.getByPlaceholder(/^Search SOPs by title/));
  await type(page, "valve pump");
  await press(page, "Control+a", "Backspace", "Escape");
  await waitUntilStill(page);
  await page.locator("main").click({ position: { x: 2, y: 2 } });
  await press(page, "j", "j", "j", "j", "k");
  await press(page, "Control+k");
  await page.getByRole("dialog").waitFor();
  await type(page, "settings");
  await press(page, "ArrowDown", "ArrowUp", "Escape");
  await click(to(page, /^Favorites/));
  await click(to(page, /^Dashboard/));
  await waitUntilStill(page);
}

async function inSop(page: Page, url: string, id: string): Promise<void> {
  await click(to(page, /^All SOPs/));
  await waitUntilStill(page);
  await click(page.locator(`a[data-sop="${id}"]`));
  await page.waitForURL(`${url}/sop/${id}`);
  await waitUntilStill(page);
  await click(page.getByRole("button", { name: "More actions" }));
  await page.getByRole("menu").waitFor();
  await press(page, "ArrowDown", "ArrowDown", "Escape");
  await click(page.getByRole("button", { name: "Share", exact: true }));
  await page.getByRole("dialog").waitFor();
  await press(page, "Tab", "Escape");
}

async function inEditor(page: Page): Promise<void> {
  await click(page.getByRole("link", { name: "Edit", exact: true }));
  await page.getByRole("button", { name: "Bold" }).and(page.locator(":enabled")).waitFor();
  await click(page.locator(".ProseMirror p").first());
  await press(page, "End");
  await type(page, " Check the gauge twice before the shift.");
  await press(page, "Enter", "Control+b");
  await type(page, "Never alone.");
  await press(page, "Control+z");
  await click(page.getByLabel("Title"));
  await type(page, " and 8");
  await click(page.getByRole("button", { name: "More actions" }));
  await click(page.getByRole("menuitem", { name: "Preview" }));
  await page.getByRole("dialog").waitFor();
  await press(page, "Escape");
}
