/** A list of 10,000 SOPs in a real browser: to its end, by keyboard, for a screen reader, and back to the earlier place. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { copySops, seedSops } from "../../bench/seed-sops.ts";
import { startServer, type TestServer, type TestUser } from "../server.ts";
import { launchChromium } from "./browser.ts";
import { faultsOf } from "./page-faults.ts";
import { canWalk, signedIn } from "./signed-in.ts";

const count = 10_000;
/** Beyond them, only rows near the screen are in the page. */
const allRows = 500;
/** Written through the write path; the others are copies of these records. */
const written = 200;

describe.skipIf(!canWalk("long lists in a browser"))("a list of 10,000 SOPs", () => {
  let server: TestServer;
  let browser: Browser;
  let page: Page;
  let ann: TestUser;
  const complaints: string[] = [];
  const asked: string[] = [];

  beforeAll(async () => {
    [server, browser] = await Promise.all([startServer("sqlite"), launchChromium()]);
    ann = await server.signUp();
    await seedSops(server.running.services, ann.username, written);
    await copySops(server.db, ann.companyId, count);
    // each committed version is an event, and each event makes the list load again
    await server.running.services.repositories.drain(ann.companyId);
    const context = await signedIn(browser, server, ann, {
      viewport: { width: 1280, height: 900 },
      reducedMotion: "reduce",
    });
    page = await context.newPage();
    page.on("console", (message) => complaints.push(`${message.type()}: ${message.text()}`));
    page.on("pageerror", (error) => complaints.push(`uncaught: ${error.message}`));
    page.on("request", (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.startsWith("/api/") && pathname !== "/api/events") asked.push(pathname);
    });
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  const items = (of = page) => of.getByRole("region", { name: "Results" }).getByRole("listitem");
  const spoken = () => page.getByRole("region", { name: "Results" }).getByRole("status").first();
  const position = () => page.evaluate(() => document.activeElement?.closest("li")?.getAttribute("aria-posinset"));
  /** After a step beyond the drawn rows, the focus follows shortly after. */
  const atRest = async () => {
    let before: unknown;
    await expect
      .poll(async () => {
        const [was, now] = [before, JSON.stringify([await position(), await shownFirst()])];
        before = now;
        return now === was;
      })
      .toBe(true);
  };
  const loaded = async () => Number(/\d+/.exec((await spoken().textContent()) ?? "")?.[0]);
  const loadMoreThan = (count: number) =>
    expect
      .poll(async () => {
        await page.keyboard.press("End");
        return loaded();
      })
      .toBeGreaterThan(count);
  const nodes = () => page.evaluate(() => document.querySelectorAll("*").length);
  const shownFirst = () =>
    page.evaluate(() => {
      const inSight = [...document.querySelectorAll("[aria-posinset]")].find(
        (item) => item.getBoundingClientRect().top >= 56,
      );
      return inSight && { at: inSight.getAttribute("aria-posinset"), y: inSight.getBoundingClientRect().top };
    });

  it("is walked by j and k, opened by Enter, and Back is where one was, without a request", async () => {
    await page.goto(`${server.url}/sops?time=anytime`);
    await items().first().waitFor();
    // past the first 24 rows, as soon as the next ones are there
    await expect
      .poll(async () => {
        await page.keyboard.press("j");
        return Number(await position());
      })
      .toBeGreaterThan(30);
    await atRest();
    await page.keyboard.press("k");
    await atRest();
    const at = await position();
    const title = await page.evaluate(() => document.activeElement?.textContent ?? "");
    expect(await page.evaluate(() => document.activeElement?.getBoundingClientRect().top ?? -1)).toBeGreaterThan(0);
    const before = await shownFirst();
    // the last that the page of an SOP asks for
    const lastAnswer = page.waitForResponse(/\/links$/);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: title }).waitFor();
    expect(await page.evaluate(() => window.scrollY)).toBe(0);
    await lastAnswer;
    await page.waitForLoadState("networkidle");

    asked.length = 0;
    await page.goBack();
    await items().first().waitFor();
    await page.getByRole("link", { name: title, exact: true }).waitFor();
    await expect.poll(shownFirst).toEqual(before);
    await page.keyboard.press("j");
    expect(Number(await position())).toBe(Number(at) + 1);
    expect(asked).toEqual([]);
  });

  it("has all rows in the page up to 500, all while it is printed, and else those near the screen", async () => {
    await page.goto(`${server.url}/sops?time=anytime`);
    await items().first().waitFor();
    const load = async (count: number) => {
      // a real click would scroll, and so load more
      await page.getByRole("button", { name: "Load More SOPs" }).evaluate((button: HTMLElement) => button.click());
      await expect.poll(() => spoken().textContent()).toBe(`First ${count} SOPs`);
    };
    for (const count of [72, 120, 168, 216, 264, 312, 360, 408, 456]) await load(count);
    await expect.poll(() => items().count()).toBe(456);
    // as Ctrl+F does
    expect(await page.evaluate('scrollTo(0, 0), find("Check number 400")')).toBe(true);
    await load(504);
    await load(704);
    await expect.poll(() => items().count()).toBeLessThan(100);
    await page.emulateMedia({ media: "print" });
    await expect.poll(() => items().count()).toBe(704);
    await page.emulateMedia({ media: null });
    await expect.poll(() => items().count()).toBeLessThan(100);
  });

  it("leads back to the same place among more than 500", async () => {
    await page.goto(`${server.url}/sops?time=anytime`);
    await items().first().waitFor();
    await loadMoreThan(500);
    for (const view of ["list", "grid"]) {
      await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight * 0.6));
      await expect.poll(async () => Number((await shownFirst())?.at)).toBeGreaterThan(300);
      await page.waitForLoadState("networkidle");
      await atRest();
      const before = await shownFirst();
      await page.getByRole("link", { name: /^Favorites/ }).click();
      await page.getByRole("heading", { level: 1, name: "Favorites" }).waitFor();
      await page.waitForLoadState("networkidle");
      asked.length = 0;
      await page.goBack();
      await expect.poll(shownFirst).toEqual(before);
      expect(asked).toEqual([]);
      if (view === "list") await page.getByRole("button", { name: "Grid view" }).click();
    }
  });

  it("keeps filters, search and view over a reload and Back, and never says more than is so", async () => {
    await page.goto(`${server.url}/sops`);
    await page.evaluate(() => localStorage.removeItem("list-view"));
    await page.reload();
    const status = page.getByRole("group", { name: "Status" });
    await status.getByRole("button", { name: /^Published/ }).click();
    await page.waitForURL(/status=published/);
    await page.getByRole("button", { name: "Grid view" }).click();
    await page.getByPlaceholder("Search SOPs by title, content, or keywords...").fill("valve");
    await page.waitForURL(/search=valve/);
    await page.reload();
    const pressed = (name: string | RegExp) => page.getByRole("button", { name, pressed: true });
    await pressed(/^Published/).waitFor();
    await items().first().getByRole("link").first().click();
    await page.waitForURL(/\/sop\//);
    await page.goBack();
    await page.waitForURL(/status=published&search=valve/);
    await items().first().waitFor();
    expect(await page.getByPlaceholder(/^Search SOPs by title/).inputValue()).toBe("valve");
    const sizes = await items().evaluateAll((all) => [...new Set(all.map((li) => li.getAttribute("aria-setsize")))]);
    // the total is known once the last row is loaded
    expect(sizes).toEqual(["-1"]);
    await page.getByRole("button", { name: "Load More SOPs" }).waitFor();
    await page.goBack();
    await page.waitForURL(/\/sops$/);
    await pressed(/^All Status/).waitFor();
    await pressed("Grid view").waitFor();
  });

  it("is scrolled to its end within 1,500 nodes, as rows and as cards", async () => {
    await page.goto(`${server.url}/sops`);
    await page.evaluate(() => localStorage.setItem("list-view", "list"));
    await page.reload();
    await items().first().waitFor();
    const last = page.locator(`[aria-posinset="${count}"]`);
    for (const view of ["list", "grid"]) {
      let most = 0;
      const toEnd = async () => {
        await page.keyboard.press("End");
        // up to 500 rows are all in the page
        if ((await loaded()) > 500) most = Math.max(most, await nodes());
        return last.count();
      };
      await expect.poll(toEnd, { timeout: 150_000, interval: 50 }).toBe(1);
      expect(await last.getAttribute("aria-setsize")).toBe(String(count));
      expect(await page.getByRole("button", { name: "Load More SOPs" }).count()).toBe(0);
      // to the middle, as with the scroll bar
      await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight / 2));
      await expect.poll(async () => Number((await shownFirst())?.at ?? 0)).toBeGreaterThan(count / 3);
      most = Math.max(most, await nodes());
      console.log(`${count} SOPs as a ${view}: ${most} nodes`);
      expect(most).toBeLessThanOrEqual(1_500);
      // a row half behind the top bar would count as a small target: the bar scrolls away for this check
      await page
        .locator("header")
        .first()
        .evaluate((bar) => (bar.style.position = "static"));
      expect(await faultsOf(page)).toEqual([]);
      await page
        .locator("header")
        .first()
        .evaluate((bar) => (bar.style.position = ""));
      if (view === "list") await page.getByRole("button", { name: "Grid view" }).click();
    }
  });

  it("keeps chosen rows while it is scrolled, and changes their tags by keyboard alone", async () => {
    await page.goto(`${server.url}/sops?time=anytime`);
    await items().first().waitFor();
    await page.getByRole("button", { name: "List view" }).click();
    for (const key of ["j", "j", "x", "j", "x"]) await page.keyboard.press(key);
    await page.getByText("2 selected").waitFor();
    const titles = await page
      .getByRole("checkbox", { checked: true })
      .evaluateAll((boxes) => boxes.map((box) => box.getAttribute("aria-label")?.replace("Select ", "") ?? ""));
    expect(await faultsOf(page)).toEqual([]);
    await loadMoreThan(allRows);
    await expect.poll(() => page.getByRole("checkbox", { checked: true }).count()).toBe(0);
    await page.getByText("2 selected").waitFor();
    await page.keyboard.press("t");
    await page.getByLabel("Add tags").waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await page.keyboard.type("night shift");
    await page.keyboard.press("Enter");
    await page.getByText("Tags of 2 SOPs changed", { exact: true }).waitFor();
    const tagged = await ann.client.sops.list({ query: { tag: "night shift" } });
    expect(tagged.data.map(({ title }) => title).toSorted()).toEqual(titles.toSorted());
    await expect.poll(() => page.getByRole("checkbox").count()).toBe(0);
  });

  it("shows readable titles and whole times at any width, and with text of 200 %", async () => {
    const cut = () =>
      page.evaluate(() => {
        const rows = [...document.querySelectorAll("article")].slice(0, 10);
        const [narrow, times] = [
          rows.map((row) => row.querySelector("h3")),
          rows.map((row) => row.querySelector("time")),
        ];
        return {
          titles: narrow.filter((title) => (title?.parentElement?.clientWidth ?? 0) < 140).length,
          times: times.filter(
            (time) => (time?.parentElement?.scrollWidth ?? 1) > (time?.parentElement?.clientWidth ?? 0),
          ).length,
          page: document.documentElement.scrollWidth > window.innerWidth,
        };
      });
    await page.goto(`${server.url}/sops`);
    await items().first().waitFor();
    const found: unknown[] = [];
    for (const [width, text] of [
      [1280, "100%"],
      [1024, "100%"],
      [390, "100%"],
      [1280, "200%"],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.evaluate((size) => void (document.documentElement.style.fontSize = size), text);
      found.push(await cut());
    }
    expect(found).toEqual([1, 2, 3, 4].map(() => ({ titles: 0, times: 0, page: false })));
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  it("without a word in the console", () => expect(complaints).toEqual([]));
});
