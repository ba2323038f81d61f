/** Writing an SOP in a real browser against a real server: typed text is never lost. */
import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import type { TestUser } from "../server.ts";
import { faultsOf } from "./page-faults.ts";
import { chooseAction } from "./edit-screen.ts";
import { describeJourney } from "./journey.ts";
import { keepsDraft } from "./kept-draft.ts";
import { chooseMore } from "./more-actions.ts";

describeJourney("writing an SOP", { expected: /status of 412/ }, ({ server, complaints, contextOf, open }) => {
  let ann: TestUser;
  let ben: TestUser;
  let eve: TestUser;

  beforeAll(async () => {
    const company = await server().company();
    ann = await company.user("manager", { name: "Ann Archer" });
    ben = await company.user("editor", { name: "Ben Baker" });
    eve = await company.user("viewer", { name: "Eve Evans" });
  });

  const text = (page: Page) => page.getByRole("textbox", { name: "Content" });
  async function typeAtEnd(page: Page, words: string) {
    await page.locator(".ProseMirror p").last().click();
    await page.keyboard.press("End");
    await page.keyboard.type(words);
  }
  async function newSop(user: TestUser, markdown: string) {
    const [category] = await user.client.categories.list();
    const body = {
      title: "Open the kitchen",
      description: "Every morning.",
      markdown,
      categoryId: category?.id,
      readTime: 5,
    };
    return user.client.sops.create({ body });
  }

  it("creates, publishes, edits: readers keep version 1 while version 2 is in work", async () => {
    const context = await contextOf(ann);
    const page = await open(context, "/sop/new");
    await page.getByLabel("Title").fill("Close the kitchen");
    await page.getByLabel("Description").fill("Every evening.");
    await page.getByLabel("Category", { exact: true }).selectOption({ label: "Safety Protocols" });
    await text(page).click();
    await page.keyboard.type("## Steps\n1. Lights off");
    await page.getByRole("button", { name: "Publish or submit…" }).click();
    await page.getByText("SOP Created").first().waitFor();
    const question = page.getByRole("dialog", { name: "Publish version 1" });
    await question.getByText("Readers see this SOP for the first time.").waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await question.getByRole("button", { name: "Publish", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Close the kitchen" }).waitFor();
    await page.getByRole("link", { name: "Edit" }).click();
    await page.locator(".ProseMirror li").first().click();
    await page.keyboard.press("End");
    await page.keyboard.press("Enter");
    await page.keyboard.type("Lock up");
    await page.keyboard.press("Control+s");
    await page.getByText("SOP Updated").first().waitFor();
    const id = page.url().split("/").at(-2) ?? "";
    const sop = await ann.client.sops.get({ params: { id } });
    expect(sop).toMatchObject({ version: 2, status: "draft", published: { version: 1 } });
    expect(sop.markdown).toBe("## Steps\n\n1. Lights off\n2. Lock up\n");
    await chooseAction(page, "Version history");
    await page.getByRole("button", { name: "Restore version 1" }).click();
    await page.getByText("Version restored").first().waitFor();
    await page.getByText("version 3").first().waitFor();
    expect(await page.locator(".ProseMirror li").count()).toBe(1);
  });

  it("offers back what a crash cut off, and drops it once saved", async () => {
    const sop = await newSop(ann, "One\n");
    const context = await contextOf(ann);
    const page = await open(context, `/sop/${sop.id}/edit`);
    await typeAtEnd(page, " and what was not saved");
    await keepsDraft(page, "and what was not saved");
    await page.close({ runBeforeUnload: false });

    const again = await open(context, `/sop/${sop.id}/edit`);
    await again.getByText("Unsaved changes found").waitFor();
    expect(await text(again).textContent()).toBe("One");
    await again.getByRole("button", { name: "Restore them" }).click();
    await again.getByText("One and what was not saved").waitFor();
    await again.getByRole("button", { name: "Save SOP" }).click();
    await again.getByText("SOP Updated").first().waitFor();
    expect((await ann.client.sops.get({ params: { id: sop.id } })).markdown).toBe("One and what was not saved\n");

    const last = await open(context, `/sop/${sop.id}/edit`);
    await text(last).getByText("One and what was not saved").waitFor();
    expect(await last.getByText("Unsaved changes found").count()).toBe(0);
  });

  it("keeps what is typed while a save is on its way, and saves it next", async () => {
    const sop = await newSop(ann, "One\n");
    const context = await contextOf(ann);
    const page = await open(context, `/sop/${sop.id}/edit`);
    await typeAtEnd(page, " two");
    let release = (): void => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route(`**/api/sops/${sop.id}`, async (route) => {
      if (route.request().method() === "PUT") await released;
      await route.continue();
    });
    const asked = page.waitForRequest((request) => request.method() === "PUT");
    await page.keyboard.press("Control+s");
    await asked;
    await page.keyboard.type(" three");
    release();
    await page.getByText("Your latest edits aren't saved yet.").first().waitFor();
    expect((await ann.client.sops.get({ params: { id: sop.id } })).markdown).toBe("One two\n");
    await page.keyboard.press("Control+s");
    await page.getByText("· version 3").waitFor();
    expect((await ann.client.sops.get({ params: { id: sop.id } })).markdown).toBe("One two three\n");
  });

  it("keeps the text when the server is not there, and saves it when it is back", async () => {
    const sop = await newSop(ann, "One\n");
    const context = await contextOf(ann);
    const page = await open(context, `/sop/${sop.id}/edit`);
    await typeAtEnd(page, " more");
    await page.route(`**/api/sops/${sop.id}`, (route) => route.abort());
    const before = complaints.length;
    await page.getByRole("button", { name: "Save SOP" }).click();
    await page.getByText("The server didn't respond.").waitFor();
    // the browser's own line for the request that failed
    complaints.splice(before);
    await page.unroute(`**/api/sops/${sop.id}`);
    await page.getByRole("button", { name: "Save SOP" }).click();
    await page.getByText("SOP Updated").first().waitFor();
    expect((await ann.client.sops.get({ params: { id: sop.id } })).markdown).toBe("One more\n");
  });

  it("lets two people edit at once without losing a word", async () => {
    const sop = await newSop(ann, "First\n\nMiddle\n\nLast\n");
    const context = await contextOf(ann);
    const page = await open(context, `/sop/${sop.id}/edit`);
    await typeAtEnd(page, " of Ann");
    await ben.client.sops.update({
      params: { id: sop.id },
      body: { markdown: "First of Ben\n\nMiddle\n\nLast\n" },
      ifMatch: 1,
    });
    await page.getByText("A newer version was saved").waitFor();
    await page.getByRole("button", { name: "Save SOP" }).click();
    const dialog = page.getByRole("dialog", { name: "Someone else saved changes" });
    await dialog
      .getByRole("group", { name: /Changed by them/ })
      .getByText("of Ben")
      .waitFor();
    await dialog.getByText(/^Ben Baker \(\S+\) saved version 2/).waitFor();
    await dialog.getByText("All decided · 2 merged").waitFor();
    await dialog.getByRole("button", { name: "Save merged text" }).click();
    await page.getByText("SOP Updated").first().waitFor();
    const merged = await ann.client.sops.get({ params: { id: sop.id } });
    expect(merged).toMatchObject({ version: 3, markdown: "First of Ben\n\nMiddle\n\nLast of Ann\n" });
  });

  it("shows a reader the text and nothing to change, on screen and on paper", async () => {
    const sop = await newSop(
      ann,
      "## Steps\n\n> [!WARNING]\n> Hot\n\n1. Press stop\n\n## Records\n\n| A |\n| --- |\n| 1 |\n",
    );
    await ann.client.sops.publish({ params: { id: sop.id } });
    const context = await contextOf(eve);
    const page = await open(context, `/sop/${sop.id}`);
    await page.getByRole("heading", { level: 2, name: "Steps" }).waitFor();
    expect(await page.getByRole("link", { name: "Edit" }).count()).toBe(0);
    await page.getByRole("navigation", { name: "Contents" }).getByRole("link", { name: "Records" }).click();
    expect(new URL(page.url()).hash).toBe("#user-content-records");
    await page.emulateMedia({ media: "print" });
    expect(await page.getByText("Number:").isVisible()).toBe(true);
    expect(await page.getByRole("button", { name: "More actions" }).isVisible()).toBe(false);
    await page.emulateMedia({ media: "screen" });
    const [download] = await Promise.all([page.waitForEvent("download"), chooseMore(page, "Export PDF")]);
    expect(download.suggestedFilename()).toMatch(/\.pdf$/);
    expect((await readFile(await download.path())).subarray(0, 5).toString()).toBe("%PDF-");
    await page.getByRole("button", { name: "More actions" }).click();
    const [word] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("menuitem", { name: "Export Word" }).click(),
    ]);
    expect(word.suggestedFilename()).toMatch(/\.docx$/);
  });

  it.each([1280, 390])("offers a writer the formats in a menu that stays in view, at %i px", async (width) => {
    const sop = await newSop(ann, "One\n");
    const context = await contextOf(ann);
    const page = await open(context, `/sop/${sop.id}`);
    await page.setViewportSize({ width, height: 800 });
    await page.getByRole("button", { name: "More actions" }).click();
    const markdown = page.getByRole("menuitem", { name: "Export Markdown" });
    await markdown.waitFor();
    // the menu moves to its place once it is measured
    await expect
      .poll(async () => {
        const box = await page.getByRole("menu").filter({ has: markdown }).last().boundingBox();
        return [(box?.x ?? -1) >= 0, (box?.x ?? 0) + (box?.width ?? width) <= width];
      })
      .toEqual([true, true]);
    const [download] = await Promise.all([page.waitForEvent("download"), markdown.click()]);
    expect(download.suggestedFilename()).toMatch(/\.md$/);
  });
});
