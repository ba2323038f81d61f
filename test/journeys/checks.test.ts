/** An issue leads to its place and is fixed there, in a real browser against a real server. */
import type { Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import type { TestUser } from "../server.ts";
import { faultsOf } from "./page-faults.ts";
import { chooseAction, openProperties } from "./edit-screen.ts";
import { describeJourney } from "./journey.ts";

const filler = "Somebody reads this line.\n\n".repeat(40);
const flawed = `## Procedure\n\n1. Stop the pump and close the valve.\n2. Write TODO.\n\n${filler}> [!warning]\n> Hot.\n`;

describeJourney("the checks beside a text", {}, ({ server, open: openPage }) => {
  let ann: TestUser;

  beforeAll(async () => {
    const company = await server().company();
    ann = await company.user("manager", { name: "Ann Archer" });
  });

  async function open(markdown: string, width = 1280): Promise<Page> {
    const body = { title: "Lids", description: "How to open lids.", markdown };
    const { id } = await ann.client.sops.create({ body });
    const look = { viewport: { width, height: 640 }, hasTouch: width < 640 };
    const page = await openPage(ann, `/sop/${id}/edit`, look);
    await page.locator(".ProseMirror").waitFor();
    expect(await page.locator(".ProseMirror .finding").count()).toBe(0);
    await openList(page);
    return page;
  }
  /** On a phone the drawer makes room for what an issue leads to. */
  async function openList(page: Page): Promise<void> {
    await openProperties(page);
    const summary = page.getByText("Checks", { exact: true });
    await summary.waitFor();
    if (!(await list(page).isVisible())) await summary.click();
    await list(page).waitFor();
  }
  const list = (page: Page) => page.locator("details ul");
  const finding = (page: Page, message: RegExp) => list(page).getByRole("button", { name: message });
  const selected = (page: Page) =>
    page.evaluate(() => {
      const area = document.activeElement;
      if (area instanceof HTMLTextAreaElement) return area.value.slice(area.selectionStart, area.selectionEnd);
      return area?.closest(".ProseMirror") ? String(getSelection()) : null;
    });
  /** Whether the selected words are on screen and under no bar; in a text area, whether their line is. */
  const isInSight = (page: Page) =>
    page.evaluate(() => {
      const area = document.activeElement;
      const range = area instanceof HTMLTextAreaElement ? null : getSelection()?.getRangeAt(0);
      const box = (range ?? area)?.getBoundingClientRect() ?? new DOMRect();
      let [top, bottom] = [box.top, box.bottom];
      if (area instanceof HTMLTextAreaElement) {
        const { lineHeight, paddingTop } = getComputedStyle(area);
        const line = area.value.slice(0, area.selectionStart).split("\n").length - 1;
        top += Number.parseFloat(paddingTop) + line * Number.parseFloat(lineHeight) - area.scrollTop;
        bottom = top + Number.parseFloat(lineHeight);
      }
      const over = document.elementFromPoint(box.left + 2, (top + bottom) / 2);
      return top > 0 && bottom < window.innerHeight && area !== null && area.contains(over);
    });

  it.each([1280, 390])("lead to the words in the text, selected and in sight, at %i px", async (width) => {
    const page = await open(flawed, width);
    await finding(page, /^Error: ?Replace the placeholder TODO$/).click();
    await expect.poll(() => selected(page)).toBe("TODO");
    expect(await isInSight(page)).toBe(true);
    await openList(page);
    await finding(page, /^Warning: ?Write WARNING/).focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => selected(page)).toBe("Hot.");
    expect(await isInSight(page)).toBe(true);
    await openList(page);
    await finding(page, /^Error: ?Replace the placeholder TODO$/).click();
    await expect.poll(() => selected(page)).toBe("TODO");
    await page.keyboard.type("it down");
    await page.getByText("Write it down.").waitFor();
  });

  it("lead to the words in the source too, and to the field of the form that they are about", async () => {
    const page = await open(flawed);
    await chooseAction(page, "Markdown source");
    for (const [message, words] of [
      [/^Warning: ?Write WARNING/, "warning"],
      [/^Error: ?Replace the placeholder TODO$/, "TODO"],
    ] as const) {
      await finding(page, message).click();
      await expect.poll(() => selected(page)).toBe(words);
      expect(await isInSight(page)).toBe(true);
    }
    await page.getByLabel("Description").fill("");
    await finding(page, /^Error: ?description is missing$/).click();
    expect(await page.getByLabel("Description").evaluate((field) => field === document.activeElement)).toBe(true);
  });

  it("are fixed one by one: announced, gone at once, and the focus moves to the next", async () => {
    const page = await open(flawed.replace("## Procedure", "##### Procedure"));
    const fixes = list(page).getByRole("button", { name: /^Fix: / });
    const output = page.locator("details output");
    // the next check waits, so that the state before it is seen for certain
    let release = (): void => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route("**/api/sops/check", async (route) => {
      await released;
      await route.continue();
    });
    for (const left of [1, 0]) {
      await fixes.first().focus();
      await page.keyboard.press("Enter");
      await expect.poll(() => output.textContent()).toMatch(/^Fixed · \d error/);
      expect(await fixes.count()).toBe(left);
      expect(await page.evaluate(() => document.activeElement?.closest("details ul") !== null)).toBe(true);
    }
    release();
    await expect.poll(() => output.textContent()).not.toContain("Fixed");
    expect(await page.evaluate(() => document.activeElement?.closest("details") !== null)).toBe(true);
  });

  it("say what a suggestion changes before it is made, and select what is left to be written", async () => {
    const page = await open(flawed);
    const add = page.getByRole("button", { name: "Add section: The section Purpose is missing" });
    expect(await list(page).getByRole("listitem").filter({ has: add }).locator("ins").allTextContents()).toEqual([
      "## Purpose",
      "[insert the purpose]",
    ]);
    expect(await faultsOf(page)).toEqual([]);
    await add.click();
    await expect.poll(() => selected(page)).toBe("[insert the purpose]");
    expect(await isInSight(page)).toBe(true);
    await page.keyboard.type("Lids stay closed.");
    await page.getByText("Lids stay closed.").waitFor();
    await page.locator(".finding", { hasText: "close" }).click();
    const box = page.getByRole("dialog", { name: "Issues here" });
    await box.waitFor();
    expect(await box.locator("ins").allTextContents()).toEqual(["1. Stop the pump.", "2. Close the valve."]);
    // the fix is refused until the text is checked again; then the panel shows the new issue with its button
    const split = box.getByRole("button", { name: /^Split step: / });
    await expect
      .poll(async () => {
        if (await split.isVisible()) await split.click();
        return page.locator(".ProseMirror li").allTextContents();
      })
      .toContain("Close the valve.");
    expect(await page.evaluate(() => document.activeElement?.closest(".ProseMirror") !== null)).toBe(true);
  });
});
