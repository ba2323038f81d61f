/** Blocks, tables and pictures are changed by their handles, in a real browser. */
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { hasChromium, launchChromium } from "./browser.ts";
import type {} from "./editor-page/probe.ts";
import { imageUrl, serveEditorPage, type EditorPage } from "./editor-page/serve.ts";

describe.skipIf(!hasChromium("handles of the editor"))("the handles of the editor", () => {
  let site: EditorPage;
  let browser: Browser;
  let page: Page;
  let complaints: string[];

  beforeAll(async () => {
    [site, browser] = await Promise.all([serveEditorPage(), launchChromium()]);
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    site?.close();
  });
  beforeEach(async () => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    page = await context.newPage();
    complaints = [];
    page.on("console", (message) => complaints.push(`${message.type()}: ${message.text()}`));
    page.on("pageerror", (error) => complaints.push(`uncaught: ${error.message}`));
    await page.goto(site.url);
    await page.waitForFunction(() => window.editor !== undefined);
  });
  afterEach(async () => {
    await page.context().close();
    expect(complaints).toEqual([]);
  });

  const text = () => page.getByRole("textbox", { name: "Content" });
  const read = () => page.evaluate(() => window.editor?.read() ?? "");
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  async function load(markdown: string) {
    await page.evaluate((value) => window.editor?.load(value), markdown);
    await page.locator('.ProseMirror[contenteditable="true"]').waitFor();
  }

  const steps = "1. One\n2. Two\n3. Three\n";

  it("moves, turns, duplicates and deletes a block by its handle, and moves it by Alt and an arrow", async () => {
    await load(`${steps}\nAfter.\n`);
    const handle = page.getByRole("button", { name: "Move or turn into" });
    const handleBeside = async (block: Locator) => {
      await block.hover();
      await expect
        .poll(async () => {
          const [own, beside] = [await handle.boundingBox(), await block.boundingBox()];
          return own !== null && beside !== null && Math.abs(own.y + own.height / 2 - beside.y - beside.height / 2);
        })
        .toBeLessThan(12);
      return handle;
    };
    const menuAt = async (words: string, item: string) => {
      await (await handleBeside(text().getByText(words, { exact: true }))).click();
      await page.getByRole("menuitem", { name: item }).click();
      await page.getByRole("menu").waitFor({ state: "detached" });
    };
    await menuAt("Two", "Move up");
    expect(await read()).toBe("1. Two\n2. One\n3. Three\n\nAfter.\n");
    await page.keyboard.press("Alt+ArrowDown");
    expect(await read()).toBe(`${steps}\nAfter.\n`);
    await menuAt("After.", "Duplicate");
    expect(await read()).toBe(`${steps}\nAfter.\n\nAfter.\n`);
    await menuAt("Three", "Delete");
    expect(await read()).toBe("1. One\n2. Two\n\nAfter.\n\nAfter.\n");
    await (await handleBeside(text().getByText("After.").last())).click();
    await page.getByRole("menuitem", { name: "Turn into" }).press("ArrowRight");
    await page.getByRole("menuitemradio", { name: "Warning" }).click();
    expect(await read()).toBe("1. One\n2. Two\n\nAfter.\n\n> [!WARNING]\n> After.\n");
    await text().getByText("Two", { exact: true }).hover();
    await page.getByRole("button", { name: "Add below" }).click();
    await page.getByRole("listbox", { name: "Blocks" }).waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("Backspace");
    await page.keyboard.type("New");
    expect(await read()).toContain("1. One\n2. Two\n3. New\n");
  });

  it("turns a block by the mouse alone, through the menus beside the menu", async () => {
    await load("After.\n");
    await text().getByText("After.").hover();
    await page.getByRole("button", { name: "Move or turn into" }).click();
    await page.getByRole("menuitem", { name: "Turn into" }).hover();
    await page.getByRole("menuitem", { name: "Other boxes" }).hover();
    await page.getByRole("menuitemradio", { name: "Tip" }).click();
    await expect.poll(read).toBe("> [!TIP]\n> After.\n");
  });

  it("drags a block by its handle", async () => {
    await load("First.\n\nSecond.\n\nThird.\n");
    await text().getByText("Third.").hover();
    await page
      .getByRole("button", { name: "Move or turn into" })
      .dragTo(text().getByText("First."), { targetPosition: { x: 2, y: 2 } });
    await expect.poll(read).toBe("Third.\n\nFirst.\n\nSecond.\n");
  });

  it("changes a table by the handles of its row and column", async () => {
    await load("| A | B |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |\n");
    await text().getByRole("cell", { name: "3" }).click();
    await button("Row").click();
    await page.getByRole("menuitem", { name: "Move row up" }).click();
    expect(await read()).toBe("| A | B |\n| --- | --- |\n| 3 | 4 |\n| 1 | 2 |\n");
    await button("Column").click();
    await page.getByRole("menuitem", { name: "Delete column" }).click();
    expect(await read()).toBe("| B |\n| --- |\n| 4 |\n| 2 |\n");
    await button("Add a column").click();
    await page.keyboard.type("C");
    await button("Add a row").click();
    await page.keyboard.type("5");
    expect(await read()).toBe("| B | C |\n| --- | --- |\n| 4 | |\n| 2 | |\n| 5 | |\n");
    await text().getByRole("columnheader", { name: "B" }).click();
    await button("Row").click();
    await page.getByRole("menuitem", { name: "Add row below" }).waitFor();
    expect(await page.getByRole("menuitem", { name: /Delete row|Move row|row above/ }).count()).toBe(0);
  });

  it("pulls a picture to another width, and changes it by key", async () => {
    await load(`![Valve](${imageUrl})\n`);
    const picture = text().getByRole("img", { name: "Valve" });
    await picture.click();
    const grip = page.locator(".editor-resize-grip");
    const box = (await grip.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2 + 52, box.y + box.height / 2, { steps: 4 });
    await page.mouse.up();
    expect(await read()).toBe(`![Valve|100](${imageUrl})\n`);
    await page.keyboard.press("Alt+F10");
    await page.waitForFunction(() => document.activeElement?.closest("[role=toolbar]"));
    await button("Larger").press("Enter");
    expect(await read()).toBe(`![Valve|125](${imageUrl})\n`);
    await button("Smaller").click();
    expect(await read()).toBe(`![Valve|100](${imageUrl})\n`);
  });

  const figures = `Before.\n\n![Valve|200](${imageUrl} "Turn it")\n\nAfter.\n\n1. One\n\n   ![Pump|200](${imageUrl} "In a step")\n`;

  it.each([
    ["the picture", "Valve", "img"],
    ["its caption", "Valve", "caption"],
    ["the picture in a step", "Pump", "img"],
    ["the caption in a step", "Pump", "caption"],
  ])("selects a picture with its box by one click on %s", async (_, name, on) => {
    await load(figures);
    const figure = text()
      .locator("[data-figure]")
      .filter({ has: page.getByRole("img", { name }) });
    await (on === "img" ? figure.getByRole("img", { name }) : figure.locator("[data-caption]")).click();
    const box = page.getByRole("toolbar", { name: "Formatting" });
    await box.waitFor();
    expect(await figure.evaluate((one) => one.classList.contains("ProseMirror-selectednode"))).toBe(true);
    await box.getByRole("button", { name: "Caption" }).click();
    const caption = page.getByRole("dialog").getByLabel("Caption");
    await expect.poll(() => caption.evaluate((one) => one === document.activeElement)).toBe(true);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await box.getByRole("button", { name: "Remove the image" }).click();
    expect(await read()).not.toContain(name);
    await page.keyboard.press("Control+z");
    expect(await read()).toBe(figures);
  });

  it.each([
    ["down from the line above", "Before.", ["ArrowDown"], "Valve"],
    ["up from the line below", "After.", ["ArrowUp"], "Valve"],
    ["from the end of the line above", "Before.", ["End", "ArrowRight", "ArrowRight"], "Valve"],
    ["down into a step", "One", ["ArrowDown"], "Pump"],
  ])("selects a picture by arrow keys, %s, and Enter opens its box", async (_, start, keys, name) => {
    await load(figures);
    await text().getByText(start, { exact: true }).click();
    for (const key of keys) await page.keyboard.press(key);
    await page.locator(".ProseMirror-selectednode").waitFor();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Image" });
    expect(await dialog.getByLabel("What it shows").inputValue()).toBe(name);
    await dialog.getByRole("button", { name: "Remove the image" }).press("Enter");
    await dialog.waitFor({ state: "detached" });
    expect(await read()).not.toContain(name);
  });

  it("goes past a picture by arrow keys", async () => {
    await load(figures);
    await text().getByText("Before.").click();
    for (const key of ["ArrowDown", "ArrowDown"]) await page.keyboard.press(key);
    await page.keyboard.type("x");
    expect((await read()).split("\n")[4]).toContain("x");
    expect((await read()).replace("x", "")).toBe(figures);
  });

  it("goes on in the step that waits, below the images of the bar's button, and saves no empty step", async () => {
    await load("1. One\n2. Two\n");
    await text().locator("li").last().click();
    await page.keyboard.press("End");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Alt+F10");
    const image = page.getByRole("toolbar", { name: "Formatting" }).getByRole("button", { name: "Image" });
    const [chooser] = await Promise.all([page.waitForEvent("filechooser"), image.press("Enter")]);
    const file = { name: "x.png", mimeType: "image/png", buffer: Buffer.alloc(10) };
    await chooser.setFiles([file, file]);
    const both = `1. One\n2. Two\n\n   ![](${imageUrl})\n\n   ![](${imageUrl})\n`;
    await expect.poll(read).toBe(both);
    await page.keyboard.type("Three");
    await expect.poll(read).toBe(`${both}3. Three\n`);
  });

  it("leads through a long text by its outline, where there is room, and leaves only the text in focus mode", async () => {
    await page.setViewportSize({ width: 1440, height: 700 });
    const section = (name: string) => `## ${name}\n\n${"A line.\n\n".repeat(20)}`;
    await load(`${section("Prepare")}${section("Clean")}${section("Finish")}`);
    const outline = page.getByRole("navigation", { name: "Outline" });
    await outline.getByRole("button", { name: "Finish" }).click();
    await expect.poll(() => outline.locator("[aria-current]").textContent()).toBe("Finish");
    expect(await page.evaluate(() => getSelection()?.focusNode?.textContent)).toBe("Finish");
    await page.evaluate(() => window.editor?.switchFocusMode());
    await outline.waitFor({ state: "hidden" });
    await button("Leave focus mode").click();
    await outline.waitFor();
    await load("## One\n\nShort.\n");
    await outline.waitFor({ state: "detached" });
  });

  it("keeps its tools in one row beside words at the right edge of a phone", async () => {
    const bar = page.getByRole("toolbar", { name: "Formatting" });
    await page.setViewportSize({ width: 390, height: 640 });
    await load("Open the pump, then the valve.\n");
    await text().getByText("Open the pump").click();
    await page.keyboard.press("End");
    await page.keyboard.press("Shift+Control+ArrowLeft");
    await bar.waitFor();
    const tops = bar.getByRole("button").evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
    expect(new Set(await tops).size).toBe(1);
    const box = await bar.boundingBox();
    expect(box && box.x + box.width).toBeLessThanOrEqual(390);
  });
});
