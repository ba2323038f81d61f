/**
 * What paper does to an SOP. A table longer than a page: each page repeats its head row, and no row is split. A step keeps
 * its number. A short SOP is one sheet. Folds are open. Tested for Chromium's print, tables also for the HTML file and the PDF.
 */
import type { Page } from "playwright-core";
import sharp from "sharp";
import { beforeAll, expect, it } from "vitest";
import { canReadPdfs, pdfPages } from "../pdf-text.ts";
import type { TestUser } from "../server.ts";
import { describeJourney } from "./journey.ts";

const filler = "and wiped until nothing of the last batch is left on it, also where the guard covers it";
const rows = Array.from({ length: 70 }, (_, at) => `| Begin${at} | ${filler} ${filler} End${at} | Daily |`);
const markdown = `## Parts\n\n| Part | Cleaned with | When |\n| --- | --- | --- |\n${rows.join("\n")}\n\nAfter it.\n\n<details><summary>More</summary>\n\nOlder names.\n\n</details>\n`;

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
    // in a fold that is closed on screens
    expect(pages.join("")).toContain("Older names.");
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

describeJourney("steps on paper", {}, ({ server, open: openPage }) => {
  let ann: TestUser;

  beforeAll(async () => {
    ann = await (await server().company()).user("manager", { name: "Ann Archer" });
  });

  /** Without the colors of backgrounds, as people print. */
  async function printed(title: string, markdown: string, ...formats: { format: string; landscape?: boolean }[]) {
    const [category] = await ann.client.categories.list();
    const body = { title, description: "Weekly.", markdown, categoryId: category?.id, readTime: 5 };
    const { id } = await ann.client.sops.create({ body });
    await ann.client.sops.publish({ params: { id } });
    const page = await openPage(ann, `/sop/${id}`);
    await page.locator(".reading").waitFor();
    // both are shown on paper alone
    await page.locator(".print-frame").waitFor({ state: "attached" });
    await page.locator("#document-control").waitFor({ state: "attached" });
    await page.waitForFunction(() => [...document.images].every((image) => image.complete));
    const pdfs = [];
    for (const format of formats) pdfs.push(await page.pdf({ ...format, printBackground: false }));
    return { page, pdfs };
  }

  it.skipIf(!canReadPdfs)("keep their numbers over page breaks", async () => {
    const steps = Array.from({ length: 90 }, (_, at) => {
      const text = `${at + 1}. Begin${at + 1} ${filler.repeat((at % 4) + 1)}`;
      const warning = `\n\n   > [!WARNING]\n   > ${filler}\n\n   Then wait.\n`;
      return at % 3 === 0 ? text + warning : at % 3 === 1 ? `${text}\n\n   - ${filler}\n   - ${filler}\n` : `${text}\n`;
    });
    const papers = ["A4", "Letter", "A5"].flatMap((format) => [{ format }, { format, landscape: true }]);
    const { pdfs } = await printed("Clean the long mill", `## Steps\n\n${steps.join("\n")}`, ...papers);
    for (const pdf of pdfs) {
      const pages = pdfPages(pdf, "-layout");
      // the foot is on each of them
      expect(pages.filter((text) => !/Page \d/.test(text))).toEqual([]);
      expect(pages.length).toBeGreaterThan(5);
      const begun = pages.flatMap((text) => [...text.matchAll(/^ *(\d*) +Begin(\d+)/gm)]);
      expect(begun.map(([, number]) => number)).toEqual(steps.map((_, at) => String(at + 1)));
      expect(begun.map(([, , text]) => text)).toEqual(steps.map((_, at) => String(at + 1)));
    }
  });

  it.skipIf(!canReadPdfs)(
    "with a warning and an image are one sheet, and the warning keeps frame and sign",
    async () => {
      const create = { width: 800, height: 200, channels: 3, background: "#777" } as const;
      const bytes = await sharp({ create }).png().toBuffer();
      const headers = { "content-type": "image/png" };
      const { url } = (await ann.send({ method: "POST", path: "/api/assets", headers, body: bytes })).json() as {
        url: string;
      };
      const markdown = `## Purpose\n\nA clean grinder gives clean coffee.\n\n## Steps\n\n1. Switch it off.\n\n   > [!WARNING]\n   > The blades turn for five seconds.\n\n2. Take off the hopper.\n\n   ![The hopper](${url})\n\n3. Brush the blades.\n4. Put the hopper back.\n\n> [!TIP]\n> Do it on Friday.\n`;
      const { page, pdfs } = await printed("Clean the grinder", markdown, { format: "A4" });
      const pages = pdfPages(pdfs[0] as Uint8Array);
      expect(pages).toHaveLength(1);
      for (const word of ["Put the hopper back", "Document control", "Page 1 of 1"]) expect(pages[0]).toContain(word);
      await page.emulateMedia({ media: "print" });
      const look = await page.locator(".alert-warning").evaluate((alert) => {
        const sign = getComputedStyle(alert.querySelector(".alert-title") as Element, "::before");
        const { borderTopWidth, borderRightWidth } = getComputedStyle(alert);
        return {
          frame: [borderTopWidth, borderRightWidth].map(parseFloat),
          sign: [sign.display, sign.printColorAdjust],
        };
      });
      expect(Math.min(...look.frame)).toBeGreaterThanOrEqual(1);
      expect(look.sign).toEqual(["block", "exact"]);
    },
  );
});
