/** What is typed or pasted as plain text keeps its words, in a real browser. */
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { parseMarkdown } from "#core/markdown/parse.ts";
import { plainText } from "#core/markdown/plain-text.ts";
import { hasChromium, launchChromium } from "./browser.ts";
import type {} from "./editor-page/probe.ts";
import { serveEditorPage, type EditorPage } from "./editor-page/serve.ts";

describe.skipIf(!hasChromium("typed text"))("the words of the editor", () => {
  let site: EditorPage;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    [site, browser] = await Promise.all([serveEditorPage(), launchChromium()]);
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    site?.close();
  });
  beforeEach(async () => {
    page = await (await browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage();
    await page.goto(site.url);
    await page.waitForFunction(() => window.editor !== undefined);
  });
  afterEach(() => page.context().close());

  const text = () => page.getByRole("textbox", { name: "Content" });
  const read = () => page.evaluate(() => window.editor?.read() ?? "");
  async function load(markdown: string) {
    await page.evaluate((value) => window.editor?.load(value), markdown);
    await page.locator('.ProseMirror[contenteditable="true"]').waitFor();
  }
  async function pasteText(copied: string) {
    await text().focus();
    await page.evaluate((value) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", value);
      document.activeElement?.dispatchEvent(
        new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }),
      );
    }, copied);
  }

  it.each([
    "Dose: 2 * 3 * 4 mg",
    "Plate 200*300*50 mm, 5 ** 3 ** 2",
    "x ~~ y ~~ z, 20~25 °C and 5~7 bar",
    "Files *.log and *.tmp",
    "---> 2026. Something",
    "2026. Something",
    "Enter <PIN> & press <Start>",
  ])("shows and stores %j as it was typed", async (words) => {
    await load("");
    await text().click();
    await page.keyboard.type(words);
    expect(await text().innerText()).toBe(words);
    expect(plainText(parseMarkdown(await read()))).toBe(words);
  });

  it("makes no list, heading or box of a sign and Enter", async () => {
    await load("");
    await text().click();
    await page.keyboard.type("1.\n+\n#\n>\nend");
    expect(await read()).toBe("1\\.\n\n\\+\n\n\\#\n\n\\>\n\nend\n");
  });

  it("takes a mark back with Backspace, and by the next letter", async () => {
    await load("");
    await text().click();
    await page.keyboard.type("a **b**");
    expect(await text().locator("strong").innerText()).toBe("b");
    await page.keyboard.press("Backspace");
    expect(await text().innerText()).toBe("a **b**");
    await page.keyboard.type(" *c.*");
    expect(await text().locator("em").innerText()).toBe("c.");
    await page.keyboard.type("d");
    expect(await text().innerText()).toBe("a **b** *c.*d");
  });

  it.each([
    ["Set 20~25°C and hold 5~7 bar.", "Set 20~25°C and hold 5~7 bar."],
    ["Enter <PIN> and press <Start>", "Enter <PIN> and press <Start>"],
    ["x<y>z\n2026. Something", "x<y>z 2026. Something"],
  ])("keeps the words of pasted text: %j", async (copied, shown) => {
    await load("");
    await pasteText(copied);
    await expect.poll(async () => plainText(parseMarkdown(await read()))).toBe(shown);
  });

  it("reads pasted text as Markdown where it clearly is, and never when pasted as plain text", async () => {
    const markdown = "## Steps\n\n1. Close the valve\n2. Open the lid\n";
    await load("");
    await pasteText(markdown);
    await expect.poll(read).toBe(markdown);
    await load("");
    await text().focus();
    await page.keyboard.down("Control");
    await page.keyboard.down("Shift");
    await page.keyboard.press("V");
    await pasteText(markdown);
    await page.keyboard.up("Shift");
    await page.keyboard.up("Control");
    await expect
      .poll(async () => plainText(parseMarkdown(await read())))
      .toBe("## Steps 1. Close the valve 2. Open the lid");
  });

  it("keeps the columns of short rows, and shows the words of long ones", async () => {
    await load("| Step | Limit | Note |\n| --- | --- | --- |\n| Heat | 80 °C |\n| Cool | 20 °C |\n");
    await text().getByText("Heat").click();
    await page.keyboard.press("End");
    await page.keyboard.type("x");
    expect((await read()).replaceAll(/( \|)+$/gm, " |")).toBe(
      "| Step | Limit | Note |\n| --- | --- | --- |\n| Heatx | 80 °C |\n| Cool | 20 °C |\n",
    );
    await load("| Part | Limit |\n| --- | --- |\n| Oil | 40 l | blue |\n");
    await text().getByRole("cell", { name: "blue" }).click();
    await page.keyboard.press("End");
    await page.keyboard.type("x");
    expect(await read()).toBe("| Part | Limit | |\n| --- | --- | --- |\n| Oil | 40 l | bluex |\n");
  });

  it("breaks the line of a heading within the heading", async () => {
    await load("### Line A\n");
    await text().locator("h3").click();
    await page.keyboard.press("End");
    await page.keyboard.press("Shift+Enter");
    await page.keyboard.type("Line B");
    expect(await read()).toBe("### Line A<br>Line B\n");
    await load("- <br>\n- Wait\n");
    expect(await text().locator(".editor-raw").count()).toBe(0);
  });
});
