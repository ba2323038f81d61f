/** `bench web:list`: 10,000 rows, scrolled; how many of them are in the page; what Back requests. */
import type { Page } from "playwright-core";
import { figureBesidePeer, median, round, type Figure } from "./figure.ts";
import { waitUntilStill, countCalls } from "./web-load.ts";
import { openPage, slow, slowText, sopCount, type WebSite } from "./web-site.ts";
import { serveStill } from "./web-still.ts";

export async function* list(site: WebSite): AsyncGenerator<Figure> {
  const { page, session, close } = await site.open({ signedIn: true });
  await page.goto(`${site.url}/sops?time=anytime`);
  await waitUntilStill(page);
  try {
    await toEnd(page);
    for (const view of ["list", "grid"]) {
      if (view === "grid") await page.getByRole("button", { name: "Grid view" }).click();
      const floor = await leastOfStill(site, page);
      await session.send("Emulation.setCPUThrottlingRate", { rate: slow.cpu });
      const ours = await leastDisturbed(page);
      await session.send("Emulation.setCPUThrottlingRate", { rate: 1 });
      yield figureBesidePeer(
        `web list, ${sopCount} as a ${view}: p95 frame while scrolled, CPU ÷ ${slow.cpu}; ${stillItems} of them without a script`,
        "ms",
        ours.p95,
        floor.p95,
        "≤ 34",
      );
      yield {
        name: `web list, ${sopCount} as a ${view}: most DOM nodes`,
        value: ours.nodes,
        unit: "nodes",
        goal: "≤ 1500",
      };
    }
  } finally {
    await close();
  }
  yield await back(site);
}

/** More than a fast user scrolls in four seconds. */
const stillItems = 900;

/** The same items in a page that never adds or removes any: the browser's own cost of scrolling them. */
async function leastOfStill(site: WebSite, page: Page): Promise<{ p95: number }> {
  await page.evaluate(() => window.scrollTo(0, 0));
  await page.locator('[aria-posinset="1"]').waitFor();
  const still = await serveStill(page);
  const theirs = await openPage(site.browser, null, { cpu: slow.cpu });
  try {
    await theirs.page.goto(still.url);
    await theirs.page.evaluate((count) => {
      const items = [...document.querySelectorAll("[aria-posinset]")];
      const list = items[0]?.parentElement;
      list?.removeAttribute("style");
      list?.replaceChildren(
        ...Array.from({ length: count }, (_, at) => items[at % items.length]?.cloneNode(true) ?? ""),
      );
    }, stillItems);
    return await leastDisturbed(theirs.page);
  } finally {
    await theirs.close();
    still.close();
  }
}

/** Loads all rows, as a user does by holding the End key. */
async function toEnd(page: Page): Promise<void> {
  const last = page.locator(`[aria-posinset="${sopCount}"]`);
  const until = performance.now() + 180_000;
  while ((await last.count()) === 0) {
    if (performance.now() > until) throw new Error("the list's end was not reached");
    await page.keyboard.press("End");
    await page.waitForTimeout(30);
  }
}

/** Other programs can only make frames longer, so the best of three counts. */
async function leastDisturbed(page: Page): Promise<{ p95: number; nodes: number }> {
  const runs = [await scrolled(page), await scrolled(page), await scrolled(page)];
  return { p95: Math.min(...runs.map(({ p95 }) => p95)), nodes: Math.max(...runs.map(({ nodes }) => nodes)) };
}

/** Turns the wheel steadily and fast for four seconds, fifteen notches a second, from the middle of the page. */
async function scrolled(page: Page): Promise<{ p95: number; nodes: number }> {
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight / 3));
  await page.waitForTimeout(1_000);
  await page.mouse.move(700, 500);
  const watched = page.evaluate(async () => {
    const frames: number[] = [];
    let nodes = 0;
    const from = performance.now();
    for (let last = from; last - from < 4_000;) {
      const now = await new Promise<number>((resolve) => requestAnimationFrame(resolve));
      frames.push(now - last);
      last = now;
      nodes = Math.max(nodes, document.querySelectorAll("*").length);
    }
    // the first frame began before the scrolling
    return { frames: frames.slice(1), nodes };
  });
  let isOver = false;
  void watched.then(() => (isOver = true));
  while (!isOver) {
    const from = performance.now();
    await page.mouse.wheel(0, 120);
    await page.waitForTimeout(Math.max(0, 66 - (performance.now() - from)));
  }
  const { frames, nodes } = await watched;
  const sorted = frames.toSorted((a, b) => a - b);
  const p95 = sorted[Math.floor(sorted.length * 0.95)] ?? 0;
  process.stderr.write(
    `bench web:list: ${frames.length} frames, median ${round(median(frames))} ms, p95 ${round(p95)} ms\n`,
  );
  return { p95, nodes };
}

/** From the list into an SOP and back, a frequent path. */
async function back(site: WebSite): Promise<Figure> {
  const { page, close } = await site.open({ signedIn: true, cpu: slow.cpu, slowLine: true });
  await page.goto(`${site.url}/sops`);
  await waitUntilStill(page);
  const calls = countCalls(page);
  await page.getByRole("region", { name: "Results" }).getByRole("listitem").first().getByRole("link").first().click();
  await page.waitForURL(/\/sop\//);
  await waitUntilStill(page);
  calls.length = 0;
  await page.goBack();
  await page.getByRole("region", { name: "Results" }).getByRole("listitem").first().waitFor();
  await waitUntilStill(page);
  await page.waitForTimeout(500);
  process.stderr.write(`bench web:list: Back asked for ${calls.join(" ") || "nothing"}\n`);
  await close();
  return { name: `web API calls, Back to a list, ${slowText}`, value: calls.length, unit: "requests", goal: "= 0" };
}
