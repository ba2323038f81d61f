/** Importing a zip in a real browser: files, the plan, drafts; keyboard. */
import { strToU8, zipSync } from "fflate";
import type { Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import type { TestUser } from "../server.ts";
import { uniqueSuffix } from "./browser.ts";
import { faultsOf } from "./page-faults.ts";
import { describeJourney } from "./journey.ts";

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

describeJourney("the import dialog", {}, ({ server, open: openPage }) => {
  let ann: TestUser;

  beforeAll(async () => {
    ann = await (await server().company()).user("manager", { name: "Ann Archer" });
  });

  async function open(): Promise<Page> {
    const page = await openPage(ann, "/sops", 1280);
    await page.getByRole("heading", { level: 1, name: "Standard Operating Procedures" }).waitFor();
    return page;
  }

  it("links documents of several requests by number, in their first version", async () => {
    const mark = uniqueSuffix();
    const name = (index: number) => `d${String(index % 45).padStart(2, "0")}`;
    const files = Array.from({ length: 45 }, (_, index) => {
      const links = [1, 30].map((more) => `[next](${name(index + more)}.md)`).join(" ");
      return [`many/${name(index)}.md`, strToU8(`# ${name(index)} ${mark}\n\n${links}\n`)] as const;
    });
    const page = await open();
    await page.getByRole("button", { name: "Import", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Import documents" });
    const buffer = Buffer.from(zipSync(Object.fromEntries(files)));
    await dialog.getByLabel("Files").setInputFiles({ name: "many.zip", mimeType: "application/zip", buffer });
    await dialog.getByRole("button", { name: "Import 45 documents" }).click();
    await dialog.getByText("45 documents imported as drafts").waitFor();
    const { data } = await ann.client.sops.list({ query: { search: mark, limit: 100 } });
    const numbers = new Map(data.map(({ title, number }) => [title.slice(0, 3), number]));
    expect(numbers.size).toBe(45);
    for (const { id, title, version } of data) {
      const { markdown } = await ann.client.sops.get({ params: { id } });
      const linked = [1, 30].map((more) => numbers.get(name(Number(title.slice(1, 3)) + more)));
      expect([version, markdown]).toEqual([1, `${linked.map((number) => `[next](/sop/${number})`).join(" ")}\n`]);
    }
  });

  it.each([1280, 390])("%i wide: shows the plan, then makes linked drafts with their pictures", async (width) => {
    const mark = uniqueSuffix();
    const page = await open();
    const zip = zipSync({
      "SOPs/press.md": strToU8(`# Start the press ${mark}\n\nThen [clean it](clean.md). ![p](p.png)\n`),
      "SOPs/clean.md": strToU8(`# Clean the press ${mark}\n\n1. Stop it\n2. Wipe it\n`),
      "SOPs/broken.docx": strToU8("no"),
      "SOPs/p.png": png,
    });
    await page.getByRole("button", { name: "Import", exact: true }).focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Import documents" });
    await dialog.waitFor();
    // a phone's list has no Import; a window can become as narrow
    await page.setViewportSize({ width, height: 800 });
    await dialog
      .getByLabel("Files")
      .setInputFiles({ name: "sops.zip", mimeType: "application/zip", buffer: Buffer.from(zip) });
    await dialog.getByText("SOPs/broken.docx").waitFor();
    await dialog.getByRole("button", { name: "Import 2 documents" }).click();
    await dialog.getByText("2 documents imported as drafts").waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Close" }).last().click();
    // the list behind the dialog shows them without a reload
    await page.getByRole("link", { name: `Start the press ${mark}` }).click();
    await page.getByRole("link", { name: "clean it" }).click();
    await page.getByRole("heading", { level: 1, name: `Clean the press ${mark}` }).waitFor();
    await page.goBack();
    const picture = page.getByRole("button", { name: "Enlarge image: p", exact: true });
    await picture.waitFor();
    expect(await picture.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBe(1);
  });

  it("keeps two levels of folders as categories, and makes several SOPs of one file", async () => {
    const mark = uniqueSuffix();
    const page = await open();
    const zip = zipSync({
      "Book/mkdocs.yml": strToU8("site_name: Book\n"),
      [`Book/docs/Press ${mark}/Oil ${mark}/fill.md`]: strToU8(
        "# Oil\n\n## Fill the oil\n\n1. Fill\n\n## Drain the oil\n\n1. Drain\n",
      ),
    });
    await page.getByRole("button", { name: "Import", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Import documents" });
    await dialog
      .getByLabel("Files")
      .setInputFiles({ name: "book.zip", mimeType: "application/zip", buffer: Buffer.from(zip) });
    await dialog.getByRole("button", { name: "Import 1 document" }).waitFor();
    await dialog.getByLabel("Split long documents at").focus();
    await page.keyboard.press("H");
    await dialog.getByRole("button", { name: "Import 2 documents" }).waitFor();
    await dialog.getByLabel("Folders become").selectOption("Categories");
    await dialog.getByText(`Category: Press ${mark} › Oil ${mark}`).first().waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Import 2 documents" }).click();
    await dialog.getByText("2 documents imported as drafts").waitFor();
    await dialog.getByRole("link", { name: "Drain the oil" }).click();
    await page.getByRole("heading", { level: 1, name: "Drain the oil" }).waitFor();
    await page.getByText(`Oil ${mark}`).first().waitFor();
  });
});
