/** A table longer than a page on paper: each page has its head row, and no row is torn. As Chromium prints the SOP and its one HTML file, and as the PDF is set. */
import { existsSync } from "node:fs";
import path from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { canReadPdfs, pdfPages } from "../pdf-text.ts";
import { startServer, type TestServer, type TestUser } from "../server.ts";
import { hasChromium, launchChromium } from "./browser.ts";
import { hearConsole } from "./signed-in.ts";

const isBuilt = existsSync(path.resolve("dist/web/index.html"));
if (!isBuilt) {
  const how = "dist/web is not built (npm run build)";
  if (process.env["CI"] === "true") throw new Error(how);
  console.warn(`NOT BUILT: ${how}; skipped: printing in a browser`);
}

const filler = "and wiped until nothing of the last batch is left on it, also where the guard covers it";
const rows = Array.from({ length: 70 }, (_, at) => `| Begin${at} | ${filler} ${filler} End${at} | Daily |`);
const markdown = `## Parts\n\n| Part | Cleaned with | When |\n| --- | --- | --- |\n${rows.join("\n")}\n\nAfter it.\n`;

describe.skipIf(!isBuilt || !canReadPdfs || !hasChromium("printing in a browser"))("a long table on paper", () => {
  let server: TestServer;
  let browser: Browser;
  let ann: TestUser;
  let id: string;

  beforeAll(async () => {
    [server, browser] = await Promise.all([startServer("sqlite"), launchChromium()]);
    ann = await (await server.company()).user("manager", { name: "Ann Archer" });
    const [category] = await ann.client.categories.list();
    const body = { title: "Clean the mill", description: "Daily.", markdown, categoryId: category?.id, readTime: 5 };
    id = (await ann.client.sops.create({ body })).id;
    await ann.client.sops.publish({ params: { id } });
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  const complaints: string[] = [];
  afterEach(() => expect(complaints.splice(0)).toEqual([]));
  async function open(): Promise<Page> {
    const context = await browser.newContext();
    const [name = "", value = ""] = ann.cookie.split("=");
    await context.addCookies([{ name, value, url: server.url }]);
    const page = await context.newPage();
    hearConsole(page, complaints);
    return page;
  }
  const exported = async (page: Page, format: string) => {
    const answer = await page.request.get(`${server.url}/api/sops/${id}/export?format=${format}`);
    return answer.body();
  };

  function expectWhole(pdf: Uint8Array) {
    const pages = pdfPages(pdf, "-layout");
    const withRows = pages.filter((page) => /\bBegin\d/.test(page));
    expect(withRows.length).toBeGreaterThan(2);
    for (const page of withRows) {
      expect(page.match(/Part\s+Cleaned with\s+When/g), page).toHaveLength(1);
      const numbers = (word: string) => [...page.matchAll(new RegExp(`${word}(\\d+)`, "g"))].map(([, at]) => at);
      expect(numbers("End")).toEqual(numbers("Begin"));
    }
    expect(withRows.flatMap((page) => page.match(/\bBegin\d+/g))).toHaveLength(rows.length);
  }

  it("from the SOP's page", async () => {
    const page = await open();
    await page.goto(`${server.url}/sop/${id}`);
    await page.getByRole("cell", { name: "Begin69" }).waitFor();
    expectWhole(await page.pdf({ format: "A4", preferCSSPageSize: true }));
    await page.context().close();
  });

  it("from the exported HTML file", async () => {
    const page = await open();
    await page.setContent((await exported(page, "html")).toString());
    expectWhole(await page.pdf({ format: "A4", preferCSSPageSize: true }));
    await page.context().close();
  });

  it("in the exported PDF", async () => {
    const page = await open();
    expectWhole(await exported(page, "pdf"));
    await page.context().close();
  });
});
