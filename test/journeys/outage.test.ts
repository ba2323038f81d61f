/** A server that restarts under an open page, a tab that crashes, and code that a deploy removed. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createClient, type Client } from "#core/api/client.ts";
import { routes } from "#core/api/routes.ts";
import type { Schemas } from "#core/api/schemas.ts";
import { exchange } from "../http.ts";
import { startProcess, type ServerProcess } from "../server-process.ts";
import { launchChromium } from "./browser.ts";
import { chooseAction } from "./edit-screen.ts";
import { chooseMore } from "./more-actions.ts";
import { faultsOf } from "./page-faults.ts";
import { canWalk, openPage } from "./signed-in.ts";

/** The browser's own lines: for requests without an answer, and for missing code. */
const serverGone = /net::ERR_|Failed to fetch dynamically imported module/;
const codeGone = /status of 404|Failed to fetch dynamically imported module/;

describe.skipIf(!canWalk("an outage in a browser"))("an outage", () => {
  let dataDir: string;
  let server: ServerProcess;
  let browser: Browser;
  let context: BrowserContext;
  let client: Client<Schemas>;

  const start = (port = "0") =>
    startProcess({
      DATA_DIR: dataDir,
      LOG_LEVEL: "silent",
      PASSWORD_BLOCKLIST: "off",
      REGISTRATION: "open",
      PORT: port,
    });

  beforeAll(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), "sopwright-outage-"));
    [server, browser] = await Promise.all([start(), launchChromium()]);
    const { url } = server;
    const body = JSON.stringify({ username: "ann.archer", password: "a long walk to the river", name: "Ann Archer" });
    const json = { "content-type": "application/json", origin: url };
    const answer = await exchange(url, { method: "POST", path: "/api/auth/register", headers: json, body });
    expect(answer.status, answer.body).toBe(201);
    const cookie = answer.headers.get("set-cookie")?.split(";")[0] ?? "";
    client = createClient<Schemas>(routes, ({ url: address, ...request }) =>
      exchange(url, { ...request, path: address, headers: { ...request.headers, origin: url, cookie } }),
    );
    const [name = "", value = ""] = cookie.split("=");
    context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    await context.addCookies([{ name, value, url }]);
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await server?.stop("SIGKILL");
    await rm(dataDir, { recursive: true, force: true });
  });

  const complaints: string[] = [];
  afterEach(() => expect(complaints.splice(0)).toEqual([]));
  const open = (address: string, provoked?: RegExp): Promise<Page> =>
    openPage(context, server, address, complaints, provoked);
  const newSop = (title: string) =>
    client.sops.create({ body: { title, description: "Every day.", markdown: "One\n" } });
  const bar = (page: Page) => page.getByRole("alert").filter({ hasText: "Connection lost" });

  it("shows one bar, and the list shows what changed once the server is back", async () => {
    await newSop("Before the outage");
    const page = await open("/sops", serverGone);
    await page.getByRole("link", { name: "Before the outage" }).waitFor();
    await page.waitForLoadState("networkidle").catch(() => undefined);
    const port = new URL(server.url).port;
    await server.stop("SIGTERM");
    await bar(page).waitFor();
    expect(await bar(page).count()).toBe(1);
    expect(
      await page
        .getByRole("listitem")
        .filter({ hasText: /failed|lost/i })
        .count(),
    ).toBe(0);
    await page.getByRole("link", { name: "Before the outage" }).waitFor();

    // these two parts were never opened, so their code is only on the stopped server
    await page.keyboard.press("Control+k");
    await page.getByText("Couldn't load this part").first().waitFor();
    await page.getByRole("link", { name: "Before the outage" }).waitFor();

    server = await start(port);
    await newSop("After the outage");
    // the stream may have reconnected before the press
    await page
      .getByRole("button", { name: "Try Again" })
      .click({ timeout: 2_000 })
      .catch(() => undefined);
    await bar(page).waitFor({ state: "detached" });
    await page.getByRole("link", { name: "After the outage" }).waitFor();
    await page.keyboard.press("Control+k");
    await page.getByRole("dialog").getByRole("combobox").waitFor();
    await page.keyboard.press("Escape");
    // the stream continues by itself from here
    await newSop("Long after");
    await page.getByRole("link", { name: "Long after" }).waitFor();
    await page.close();
  });

  it("leaves the text of a tab that crashed in the browser", async () => {
    const { id } = await newSop("A text in work");
    const page = await open(`/sop/${id}/edit`);
    await page.locator(".ProseMirror p").last().click();
    await page.keyboard.press("End");
    await page.keyboard.type(" and what was not saved");
    await page.waitForTimeout(2_500);
    const crashed = page.waitForEvent("crash");
    void page.goto("chrome://crash").catch(() => undefined);
    await crashed;
    await page.close().catch(() => undefined);
    const again = await open(`/sop/${id}/edit`);
    await again.getByRole("button", { name: "Restore them" }).click();
    await again.getByText("One and what was not saved").waitFor();
    await again.close({ runBeforeUnload: false });
  });

  /** Blocks this code until the returned function is called. */
  async function without(chunks: string): Promise<() => Promise<void>> {
    const chunk = new RegExp(`/assets/(${chunks})-[^/]*\\.js$`);
    await context.route(chunk, (route) => route.abort());
    return () => context.unroute(chunk);
  }
  const notLoaded = (page: Page) => page.getByText("Couldn't load this part").first();

  it("keeps an SOP's page when the code of a dialog can't be loaded, says so, and opens the dialog at the next click", async () => {
    const { id } = await newSop("Clean the mill");
    const parts = [
      { chunk: "VersionDialog", item: "Version history" },
      { chunk: "ShareDialog", item: "Share" },
    ];
    for (const { chunk, item } of parts) {
      const page = await open(`/sop/${id}`, serverGone);
      const giveBack = await without(chunk);
      await chooseMore(page, item);
      await notLoaded(page).waitFor();
      await page.getByRole("heading", { level: 1, name: "Clean the mill" }).waitFor();
      await giveBack();
      await chooseMore(page, item);
      await page.getByRole("dialog").waitFor();
      await page.close();
    }
  });

  it("keeps the rest of an SOP's page when a part can't be loaded, and shows the part after a retry", async () => {
    const { id } = await newSop("Oil the mill");
    const giveBack = await without("Comments|ControlBlock|ViewBanners");
    const page = await open(`/sop/${id}`, serverGone);
    await notLoaded(page).waitFor();
    await page.getByRole("article").getByText("One", { exact: true }).waitFor();
    await expect.poll(() => page.getByRole("alert").count()).toBe(3);
    expect(await faultsOf(page)).toEqual([]);
    await giveBack();
    await page.getByRole("button", { name: "Try Again" }).first().click();
    await page.getByRole("heading", { name: "Document control" }).waitFor();
    await notLoaded(page).waitFor({ state: "detached" });
    await page.getByRole("button", { name: /^Comments/ }).click();
    await page.getByRole("heading", { level: 2, name: "Comments" }).waitFor();
    await page.close();
  });

  it("keeps typed text when a part of the edit screen can't be loaded", async () => {
    const { id } = await newSop("Grease the mill");
    const giveBack = await without("VersionDialog");
    const page = await open(`/sop/${id}/edit`, serverGone);
    await page.locator(".ProseMirror p").last().click();
    await page.keyboard.press("End");
    await page.keyboard.type(" and two");
    await chooseAction(page, "Version history");
    await notLoaded(page).waitFor();
    await page.getByRole("button", { name: "Close" }).click();
    await notLoaded(page).waitFor({ state: "detached" });
    await page.getByText("One and two").waitFor();
    await giveBack();
    await chooseAction(page, "Version history");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByText("One and two").waitFor();
    await page.close({ runBeforeUnload: false });
  });

  it("reloads once for a screen whose code a deploy took away, then says so", async () => {
    const page = await open("/", codeGone);
    await page.getByRole("heading", { level: 1, name: "Dashboard" }).waitFor();
    let loads = 0;
    page.on("framenavigated", () => loads++);
    await context.route(/\/assets\/SettingsPage-[^/]*\.js$/, (route) => route.fulfill({ status: 404, body: "" }));
    await page.getByRole("complementary").getByRole("link", { name: "Settings", exact: true }).click();
    await page.getByText("Couldn't show this page").waitFor();
    // one for the address, one for the reload
    expect(loads).toBe(2);
    await page.getByRole("complementary").getByRole("link", { name: "Dashboard" }).click();
    await page.getByRole("heading", { level: 1, name: "Dashboard" }).waitFor();
    await context.unroute(/\/assets\/SettingsPage-[^/]*\.js$/);
    await page.getByRole("complementary").getByRole("link", { name: "Settings", exact: true }).click();
    await page.getByRole("button", { name: "Try Again" }).click();
    await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
    await page.close();
  });
});
