/** A table longer than a page on paper: each page has its head row, and no row is torn. As Chromium prints the SOP and its one HTML file, and as the PDF is set. */
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { canReadPdfs, pdfPages } from "../pdf-text.ts";
import { startServer, type TestServer, type TestUser } from "../server.ts";
import { launchChromium } from "./browser.ts";
import { canWalk, openPage, signedIn } from "./signed-in.ts";

const filler = "and wiped until nothing of the last batch is left on it, also where the guard covers it";
const rows = Array.from({ length: 70 }, (_, at) => `| Begin${at} | ${filler} ${filler} End${at} | Daily |`);
const markdown = `## Parts\n\n| Part | Cleaned with | When |\n| --- | --- | --- |\n${rows.join("\n")}\n\nAfter it.\n`;

describe.skipIf(!canWalk("printing in a browser") || !canReadPdfs)("a long table on paper", () => {
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
  const open = async (address = "about:blank") =>
    openPage(await signedIn(browser, server, ann), server, address, complaints);
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
    const page = await open(`/sop/${id}`);
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
