/**
 * A table longer than a page on paper: each page repeats its head row, and no row is split. Tested for Chromium's print
 * of the SOP and of its HTML file, and for the PDF.
 */
import type { Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { canReadPdfs, pdfPages } from "../pdf-text.ts";
import type { TestUser } from "../server.ts";
import { describeJourney } from "./journey.ts";

const filler = "and wiped until nothing of the last batch is left on it, also where the guard covers it";
const rows = Array.from({ length: 70 }, (_, at) => `| Begin${at} | ${filler} ${filler} End${at} | Daily |`);
const markdown = `## Parts\n\n| Part | Cleaned with | When |\n| --- | --- | --- |\n${rows.join("\n")}\n\nAfter it.\n`;

describeJourney("a long table on paper", {}, ({ server, open: openPage }) => {
  let ann: TestUser;
  let id: string;

  beforeAll(async () => {
    ann = await (await server().company()).user("manager", { name: "Ann Archer" });
    const [category] = await ann.client.categories.list();
    const body = { title: "Clean the mill", description: "Daily.", markdown, categoryId: category?.id, readTime: 5 };
    id = (await ann.client.sops.create({ body })).id;
    await ann.client.sops.publish({ params: { id } });
  });

  const open = (address = "about:blank") => openPage(ann, address);
  const exported = async (page: Page, format: string) => {
    const answer = await page.request.get(`${server().url}/api/sops/${id}/export?format=${format}`);
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

  it.skipIf(!canReadPdfs)("from the SOP's page", async () => {
    const page = await open(`/sop/${id}`);
    await page.getByRole("cell", { name: "Begin69" }).waitFor();
    expectWhole(await page.pdf({ format: "A4", preferCSSPageSize: true }));
  });

  it.skipIf(!canReadPdfs)("from the SOP's page, on landscape paper", async () => {
    const page = await open(`/sop/${id}`);
    await page.getByRole("cell", { name: "Begin69" }).waitFor();
    expectWhole(await page.pdf({ format: "A4", landscape: true }));
  });

  it.skipIf(!canReadPdfs)("from the exported HTML file", async () => {
    const page = await open();
    await page.setContent((await exported(page, "html")).toString());
    expectWhole(await page.pdf({ format: "A4", preferCSSPageSize: true }));
  });

  it.skipIf(!canReadPdfs)("in the exported PDF", async () => {
    const page = await open();
    expectWhole(await exported(page, "pdf"));
  });
});
