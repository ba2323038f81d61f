/** The editor in a real browser, under the product's content security policy. */
import { readFileSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { lintText } from "#core/lint/engine.ts";
import { formatMarkdown } from "#core/markdown/format.ts";
import { hasChromium, launchChromium } from "./browser.ts";
import type {} from "./editor-page/probe.ts";
import { imageUrl, serveEditorPage, type EditorPage } from "./editor-page/serve.ts";
import { axeFaultsOf } from "./page-faults.ts";

const mixed = formatMarkdown(`## Purpose

Handle **hot _surfaces_** with care, press <kbd>Enter</kbd>, read [the manual](https://example.org "M") or ~~guess~~.
A second line of the same paragraph\\
and a hard break; 08:00 is a time, not a directive. H<sub>2</sub>O.

> [!WARNING]
> Never touch the plate.
>
> - wait 5 minutes

> [!NOTE]
>
> Set apart.

1. First
2. Second
   - inner

     with a paragraph
3. Third

- [ ] open
- [x] done

| Item | Limit | Note |
| --- | --: | :-: |
| Heat | 60 °C | one<br>two |
| a \\| b |  | \`x\` |

\`\`\`sh title="list"
ls -la
\`\`\`

> A quote.

See [the reference][ref] and a note[^1].

[ref]: https://example.org/ref

[^1]: The note.

---

<details>
<summary>More</summary>

Inside.

</details>

<!-- kept -->
`);

describe.skipIf(!hasChromium("editor in a browser"))("the editor", () => {
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
    page.on("dialog", (dialog) => {
      complaints.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    await page.goto(site.url);
    await page.waitForFunction(() => window.editor !== undefined);
  });
  afterEach(async () => {
    await page.context().close();
    expect(complaints).toEqual([]);
  });

  const text = () => page.getByRole("textbox", { name: "Content" });
  const read = () => page.evaluate(() => window.editor?.read() ?? "");
  const tool = (name: string) => page.getByRole("button", { name, exact: true });

  /** Loads a text and waits until the editor shows it and is ready. */
  async function load(markdown: string) {
    await page.evaluate((value) => window.editor?.load(value), markdown);
    await page.locator('.ProseMirror[contenteditable="true"]').waitFor();
  }
  /** As by keyboard: the bar at the caret. */
  async function openBar() {
    await page.keyboard.press("Alt+F10");
    await page.waitForFunction(() => document.activeElement?.closest("[role=toolbar]"));
  }
  async function turnInto(form: string) {
    await openBar();
    await page.getByRole("button", { name: /: turn into$/ }).click();
    await page.getByRole("menuitemradio", { name: form }).click();
    await page.waitForFunction(() => document.activeElement?.getAttribute("role") === "textbox");
  }
  async function paste(data: Record<string, string>) {
    await text().focus();
    await page.evaluate((items) => {
      const clipboard = new DataTransfer();
      for (const [type, value] of Object.entries(items)) clipboard.setData(type, value);
      document.activeElement?.dispatchEvent(
        new ClipboardEvent("paste", { clipboardData: clipboard, bubbles: true, cancelable: true }),
      );
    }, data);
  }

  it("gives a mixed document back to the byte, untouched and after an edit that is undone", async () => {
    await load(mixed);
    expect(await read()).toBe(mixed);
    await text().locator("h2").click();
    await page.keyboard.press("End");
    await page.keyboard.type("!");
    expect(await read()).toBe(mixed.replace("## Purpose", "## Purpose!"));
    await page.keyboard.press("Control+z");
    expect(await read()).toBe(mixed);
  });

  it("undo never empties the loaded document, and groups what is typed within half a second", async () => {
    await load(mixed);
    await text().locator("h2").click();
    await page.keyboard.press("End");
    await page.keyboard.type(" one");
    await page.waitForTimeout(700);
    await page.keyboard.type(" two");
    await page.keyboard.press("Control+z");
    expect(await text().locator("h2").textContent()).toBe("Purpose one");
    for (let press = 0; press < 5; press += 1) await page.keyboard.press("Control+z");
    expect(await read()).toBe(mixed);
    await openBar();
    expect(await tool("Undo").isDisabled()).toBe(true);
  });

  it("keeps 100 steps of undo, and not all that ever were", async () => {
    await load("- [ ] a\n- [ ] b\n- [ ] c\n");
    // changes in different places are separate undo steps, even without a pause
    const boxes = await text().getByRole("checkbox").elementHandles();
    for (let step = 0; step < 140; step += 1)
      await boxes[(step % 2) * 2]?.evaluate((box) => (box as HTMLElement).click());
    let undone = 0;
    for (let before = ""; undone < 200 && before !== (await read()); undone += 1) {
      before = await read();
      await page.evaluate(() => window.editor?.undo());
    }
    // ProseMirror lets the history grow a little before trimming it to its depth
    expect(undone).toBeGreaterThanOrEqual(100);
    expect(undone).toBeLessThanOrEqual(121);
  });

  it("tells of an edit at once and hands the text over when typing rests", async () => {
    await load("One\n");
    await text().click();
    await page.keyboard.press("End");
    await page.keyboard.type(" two");
    expect(await page.evaluate(() => window.editor?.edits)).toBe(4);
    await page.waitForFunction(() => (window.editor?.changes.length ?? 0) > 0);
    expect(await page.evaluate(() => window.editor?.changes)).toEqual(["One two\n"]);
  });

  it("makes real links of the ten schemes only", async () => {
    const schemes = [
      "http://a.b",
      "https://a.b",
      "ftp://a.b",
      "ftps://a.b",
      "mailto:a@b.c",
      "tel:1",
      "callto:1",
      "sms:1",
      "cid:1",
      "xmpp:a@b.c",
    ];
    const bad = [
      "javascript:alert(1)",
      "JaVaScRiPt:alert(1)",
      "java&#x9;script:alert(1)",
      "data:text/html,x",
      "vbscript:x",
      "file:///etc/passwd",
    ];
    const markdown = formatMarkdown([...schemes, ...bad].map((url) => `[x](${url})\n`).join("\n"));
    await load(markdown);
    const links = await text()
      .locator("a")
      .evaluateAll((all) => all.map((link) => link.getAttribute("href")));
    expect(links.slice(0, schemes.length)).toEqual(schemes);
    expect(links.slice(schemes.length)).toEqual(bad.map(() => null));
    for (const link of await text().locator("a[data-inert]").all()) await link.click();
    expect(page.url()).toBe(site.url);
    expect(await read()).toBe(markdown);
  });

  it("links by dialog: http by default, and says no to javascript", async () => {
    await load("See the manual\n");
    await text().click();
    await page.keyboard.press("End");
    await page.keyboard.press("Shift+Control+ArrowLeft");
    // the browser reports a selection shortly after making it
    await page.waitForTimeout(100);
    await page.keyboard.press("Control+k");
    const address = page.getByLabel("Address");
    await address.fill("javascript:alert(1)");
    await page.keyboard.press("Enter");
    await page.getByText("Links can't use this kind of address").waitFor();
    await address.fill("www.example.org/manual");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(await read()).toBe("See the [manual](http://www.example.org/manual)\n");
    await page.waitForFunction(() => document.activeElement?.getAttribute("role") === "textbox");
  });

  it("writes alerts, checklists, tables and breaks from the bar and the keys", async () => {
    await load("");
    await text().click();
    await page.keyboard.type("Mind the gap");
    await turnInto("Warning");
    await page.keyboard.press("End");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    await turnInto("Checklist");
    await page.keyboard.type("first");
    await page.keyboard.press("Enter");
    await page.keyboard.type("second");
    await page.getByRole("checkbox", { name: "Done: first" }).check();
    await page.keyboard.press("Enter");
    await text().locator("li").nth(1).click();
    await page.keyboard.press("End");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    await openBar();
    await tool("Insert table").click();
    for (const cell of ["Item", "Limit", "Note", "Heat", "60"]) {
      await page.keyboard.type(cell);
      await page.keyboard.press("Tab");
    }
    await page.keyboard.type("one");
    await page.keyboard.press("Shift+Enter");
    await page.keyboard.type("two");
    await openBar();
    await tool("Table").click();
    await page.getByRole("menuitem", { name: "Add column right" }).click();
    await openBar();
    await tool("Table").click();
    await page.getByRole("menuitem", { name: "Add row below" }).click();
    await openBar();
    await tool("Table").click();
    await page.getByRole("menuitem", { name: "Delete row" }).click();
    expect(await read()).toBe(
      formatMarkdown(`> [!WARNING]
> Mind the gap

- [x] first
- [ ] second

| Item | Limit | Note |  |
| --- | --- | --- | --- |
| Heat | 60 | one<br>two |  |
|  |  |  |  |
`),
    );
  });

  it("offers blocks behind a slash, by keyboard and by mouse, and hears the list out of the text", async () => {
    await load("");
    await text().click();
    await page.keyboard.type("/");
    const list = page.getByRole("listbox", { name: "Blocks" });
    await list.getByRole("option", { name: "Warning" }).waitFor();
    await page.keyboard.type("wa");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowUp");
    const active = await text().getAttribute("aria-activedescendant");
    expect(await page.locator(`#${active}[aria-selected=true]`).textContent()).toContain("Warning");
    expect(await text().getAttribute("aria-controls")).toBe(await list.getAttribute("id"));
    expect(await text().evaluate((field) => field === document.activeElement)).toBe(true);
    await page.keyboard.press("Enter");
    await list.waitFor({ state: "detached" });
    expect(await text().getAttribute("aria-activedescendant")).toBeNull();
    await page.keyboard.type("Hot plate");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    await page.keyboard.type("/");
    await list.getByRole("option", { name: "Numbered list" }).click();
    await page.keyboard.type("Open the valve");
    expect(await read()).toBe("> [!WARNING]\n> Hot plate\n\n1. Open the valve\n");
    await page.keyboard.type(" /");
    await list.waitFor();
    await page.getByRole("button", { name: "Before" }).focus();
    await list.waitFor({ state: "detached" });
    expect(await read()).toContain("1. Open the valve /\n");
  });

  it.each([1280, 320])("keeps the menu of blocks on screen, %i px wide", async (width) => {
    await page.setViewportSize({ width, height: 500 });
    await load(`${"A paragraph.\n\n".repeat(12)}${"word ".repeat(30)}end\n`);
    await text().locator("p").last().click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type(" /");
    const list = page.getByRole("listbox", { name: "Blocks" });
    await list.getByRole("option").first().waitFor();
    const seen = await page.evaluate(() => document.documentElement.clientWidth);
    await expect
      .poll(async () => {
        const { left, right, top, bottom } = await list.evaluate((shown) => shown.getBoundingClientRect());
        return [left >= 0, right <= seen, top >= 0, bottom <= 500];
      })
      .toEqual([true, true, true, true]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(seen);
  });

  it.each([320, 390, 1280])(
    "never puts the menu of blocks over the line that is written, %i px wide",
    async (width) => {
      await page.setViewportSize({ width, height: 640 });
      const list = page.getByRole("listbox", { name: "Blocks" });
      const look = () =>
        page.evaluate(() => {
          const rect = (of?: Range | Element | null) => (of?.getBoundingClientRect() ?? new DOMRect()).toJSON();
          const floating = document.querySelector("[role=listbox]")?.parentElement;
          return { caret: rect(getSelection()?.getRangeAt(0)), box: rect(floating), seen: innerHeight };
        });
      // the line's place in the window: under the bar, in the middle, at the end
      for (const place of [0.2, 0.75, 0.97]) {
        await load(`${"A paragraph.\n\n".repeat(12)}Begin\n\n${"After it.\n\n".repeat(14)}`);
        await text().getByText("Begin").click();
        await page.keyboard.press("End");
        // "/numbered" still fits on the line, and "list" goes to the next one
        const room = await text()
          .getByText("Begin")
          .evaluate((words) => {
            const range = document.createRange();
            range.selectNodeContents(words);
            return words.getBoundingClientRect().right - range.getBoundingClientRect().right;
          });
        await page.keyboard.insertText(` ${"i".repeat(Math.floor((room - 92) / 5))}`);
        await page.evaluate((wanted) => {
          const { top } = getSelection()?.getRangeAt(0).getBoundingClientRect() ?? new DOMRect();
          scrollBy(0, top - innerHeight * wanted);
        }, place);
        await page.keyboard.type(" /");
        await list.getByRole("option").first().waitFor();
        const sides: boolean[] = [];
        for (const typed of ["", "n", "umbered", " l"]) {
          await page.keyboard.type(typed);
          await list.getByRole("option").first().waitFor();
          const { caret, box, seen } = await look();
          expect(caret.height).toBeGreaterThan(10);
          const isOver = box.top < caret.bottom && box.bottom > caret.top;
          expect({ place, typed, isOver }).toEqual({ place, typed, isOver: false });
          expect([box.top >= 0, box.bottom <= seen]).toEqual([true, true]);
          sides.push(box.top > caret.top);
        }
        expect(new Set(sides).size).toBe(1);
        expect({ place, isBelow: sides[0] }).toEqual({ place, isBelow: place < 0.6 });
        await page.keyboard.press("Escape");
      }
    },
  );

  it("makes headings by Ctrl+Alt+1 to 3, and text by Ctrl+Alt+0", async () => {
    await load("Scope\n");
    await text().click();
    for (const [key, written] of [
      ["1", "## Scope\n"],
      ["2", "### Scope\n"],
      ["3", "#### Scope\n"],
      ["0", "Scope\n"],
    ]) {
      await page.keyboard.press(`Control+Alt+${key}`);
      expect(await read()).toBe(written);
    }
  });

  /** The image and the dialog are in the window, and the field takes typing. */
  async function asksWhatItShows() {
    const box = page.getByRole("dialog", { name: "Describe the image" });
    await box.waitFor();
    await page.waitForFunction(() => document.activeElement?.closest("[role=dialog]"));
    const { height = 0 } = page.viewportSize() ?? {};
    for (const place of [box, text().locator("img.ProseMirror-selectednode")]) {
      const { y, bottom } = await place.evaluate((shown) => shown.getBoundingClientRect().toJSON());
      expect({ place: String(place), isSeen: y >= 0 && bottom <= height }).toEqual({
        place: String(place),
        isSeen: true,
      });
    }
  }
  const isBackInText = () => page.waitForFunction(() => document.activeElement?.getAttribute("role") === "textbox");

  it.each([1280, 390])("asks for the description of a new image beside it, in view, %i px wide", async (width) => {
    await page.setViewportSize({ width, height: 640 });
    await load("A paragraph.\n\n".repeat(30));
    await text().locator("p").last().click();
    await page.evaluate(() => scrollTo(0, 0));
    await openBar();
    // chosen with the bar's button, which then has the focus
    const image = page.getByRole("toolbar", { name: "Formatting" }).getByRole("button", { name: "Image" });
    const [chooser] = await Promise.all([page.waitForEvent("filechooser"), image.press("Enter")]);
    await chooser.setFiles({ name: "x.png", mimeType: "image/png", buffer: Buffer.alloc(10) });
    await asksWhatItShows();
  });

  it.each([
    ["a tall image", 600, 640],
    ["an image that leaves room for it, and covers none of that", 450, 800],
  ])("keeps the whole box for the description in the window, under %s", async (_, tall, height) => {
    await page.setViewportSize({ width: 1280, height });
    await load("A paragraph.\n\n".repeat(tall < 600 ? 30 : 1));
    await text().locator("p").first().click();
    await openBar();
    const image = page.getByRole("toolbar", { name: "Formatting" }).getByRole("button", { name: "Image" });
    const body = `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="${tall}"/>`;
    await page.route(`**${imageUrl}`, (route) => route.fulfill({ contentType: "image/svg+xml", body }));
    const [chooser] = await Promise.all([page.waitForEvent("filechooser"), image.press("Enter")]);
    await chooser.setFiles({ name: "x.png", mimeType: "image/png", buffer: Buffer.alloc(10) });
    const inside = await page.getByRole("dialog", { name: "Describe the image" }).evaluate((element) => {
      const end = (where: string) => document.querySelector(where)?.getBoundingClientRect().bottom ?? Number.NaN;
      const [{ top, bottom }, last] = [element.getBoundingClientRect(), end("[role=dialog] button:last-child")];
      return [last <= innerHeight, last <= bottom, top >= end("img.ProseMirror-selectednode")];
    });
    expect(inside).toEqual([true, true, tall < 600]);
  });

  it("goes on below a warning at the end of the text by a click there", async () => {
    await load("> [!WARNING]\n> Hot steam.\n");
    const { left, bottom } = await text().evaluate((element) => element.getBoundingClientRect().toJSON());
    await page.mouse.click(left + 120, bottom - 20);
    await page.keyboard.type("Wait.");
    await expect.poll(read).toBe("> [!WARNING]\n> Hot steam.\n\nWait.\n");
  });

  const bar = () => page.getByRole("toolbar", { name: "Formatting" });

  it.each([1280, 390])("shows the formatting at selected words, in view, %i px wide", async (width) => {
    await page.setViewportSize({ width, height: 640 });
    await load("Valve\n\nThen wait.\n");
    await text()
      .getByText("Valve")
      .dblclick({ position: { x: 10, y: 10 } });
    await bar().waitFor();
    const box = await bar().evaluate((shown) => shown.getBoundingClientRect().toJSON());
    expect([box.left >= 0, box.right <= width, box.top >= 0, box.bottom <= 640]).toEqual([true, true, true, true]);
    await tool("Bold").click();
    await expect.poll(() => tool("Bold").getAttribute("aria-pressed")).toBe("true");
    expect(await read()).toBe("**Valve**\n\nThen wait.\n");
    await page.keyboard.press("Control+b");
    expect(await read()).toBe("Valve\n\nThen wait.\n");
    await page.keyboard.press("Escape");
    await bar().waitFor({ state: "detached" });
    await page.keyboard.press("Shift+ArrowRight");
    await bar().waitFor();
    await page.getByRole("button", { name: "Before" }).focus();
    await bar().waitFor({ state: "detached" });
  });

  it("has no bar before words are selected, and offers blocks to a thumb on a phone", async () => {
    await load("Open the valve.\n");
    expect(await page.getByRole("toolbar").count()).toBe(0);
    await page.setViewportSize({ width: 390, height: 640 });
    await text().getByText("Open the valve").click();
    const insert = page.getByRole("toolbar", { name: "Insert" });
    await insert.getByRole("button", { name: "Numbered list" }).click();
    await page.keyboard.press("End");
    await insert.getByRole("button", { name: "All blocks" }).click();
    await page.getByRole("option", { name: "Warning" }).click();
    await page.keyboard.type("Hot");
    expect(await read()).toBe("1. > [!WARNING]\n   > Open the valve. Hot\n");
    await page.getByRole("button", { name: "Before" }).focus();
    await insert.waitFor({ state: "detached" });
  });

  const flawed = "## Purpose\n\nReplace TODO as soon as possible.\n\n#### Scope\n\nThe valve is opened by hand.\n";

  /** Loads a text and marks its issues. */
  async function check(markdown: string) {
    await load(markdown);
    const findings = lintText(markdown, { path: "x.md", preset: "recommended" })
      .filter(({ rule }) => !rule.startsWith("meta/"))
      .map((finding) => ({ ...finding, stops: finding.severity === "error" }));
    await page.evaluate((found) => window.editor?.check(found), findings);
    expect(await text().locator(".finding").count()).toBe(0);
    await page.evaluate(() => window.editor?.showFindings());
    await text().locator(".finding").first().waitFor();
  }
  const found = () => page.getByRole("dialog", { name: "Issues here" });

  it("marks what the checks found in the text, each in its way, and puts it right in one step", async () => {
    await check(flawed);
    const lines = await text()
      .locator(".finding")
      .evaluateAll((all) => all.map((one) => `${one.textContent} ${getComputedStyle(one).textDecorationStyle}`));
    expect(lines).toContain("TODO wavy");
    expect(lines).toContain("Scope dashed");
    await text().locator(".finding", { hasText: "Scope" }).click();
    await found().getByText("This heading is level 4; after level 2 comes level 3").waitFor();
    await found().getByText("struct/heading-increment").waitFor();
    await found().getByRole("button", { name: /^Fix/ }).click();
    await found().waitFor({ state: "detached" });
    expect(await read()).toBe(flawed.replace("####", "###"));
    expect(await text().evaluate((field) => field === document.activeElement)).toBe(true);
    await page.keyboard.press("Control+z");
    expect(await read()).toBe(flawed);
  });

  it("fixes nothing in a changed line, and still fixes the rest", async () => {
    await check(flawed);
    await text().locator("h4").click();
    await page.keyboard.press("End");
    await page.keyboard.type("s");
    await text().locator(".finding", { hasText: "Scope" }).click();
    await found().getByRole("button", { name: /^Fix/ }).click();
    await found().getByText("The text changed.").waitFor();
    expect(await read()).toBe(flawed.replace("Scope", "Scopes"));
    await page.keyboard.press("Control+z");
    await text().locator("p").first().click();
    await page.keyboard.press("End");
    await page.keyboard.type(" Now.");
    await text().locator(".finding", { hasText: "Scope" }).click();
    await found().getByRole("button", { name: /^Fix/ }).click();
    expect(await read()).toBe(flawed.replace("possible.", "possible. Now.").replace("####", "###"));
  });

  it("walks the findings by F8 and back, and Escape leads back into the text", async () => {
    await check(flawed);
    await text().locator("h2").click();
    await page.keyboard.press("Home");
    await page.keyboard.press("F8");
    await found().getByText("text/placeholder").waitFor();
    await page.waitForFunction(() => document.activeElement?.closest("[role=dialog]"));
    for (let step = 0; step < 9 && (await found().getByText("struct/heading-increment").count()) === 0; step += 1) {
      await page.keyboard.press("F8");
    }
    await page.keyboard.press("Shift+F8");
    expect(await found().getByText("struct/heading-increment").count()).toBe(0);
    await page.keyboard.press("F8");
    await page.keyboard.press("Enter");
    expect(await read()).toBe(flawed.replace("####", "###"));
    await page.keyboard.press("F8");
    await found().waitFor();
    await page.keyboard.press("Escape");
    await found().waitFor({ state: "detached" });
    expect(await text().evaluate((field) => field === document.activeElement)).toBe(true);
  });

  it("tells of a finding under the pointer, as long as it is there", async () => {
    await check(flawed);
    await text().locator(".finding", { hasText: "TODO" }).hover();
    await found().getByText("text/placeholder").waitFor();
    await found().hover();
    await page.getByRole("heading", { level: 1 }).hover();
    await found().waitFor({ state: "detached" });
  });

  it.each([1280, 320])("keeps the box of an issue on screen, %i px wide", async (width) => {
    await page.setViewportSize({ width, height: 600 });
    // skipping the level would be another issue
    await check(flawed.replace("####", "###"));
    await text().locator(".finding", { hasText: "TODO" }).click();
    await found().waitFor();
    const box = await found().evaluate((shown) => shown.getBoundingClientRect().toJSON());
    const seen = await page.evaluate(() => document.documentElement.clientWidth);
    expect(box.left).toBeGreaterThanOrEqual(0);
    expect(box.right).toBeLessThanOrEqual(seen);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(seen);
  });

  it("makes Markdown of what is typed as Markdown", async () => {
    await load("");
    await text().click();
    await page.keyboard.type("## Steps\n1. one\ntwo\n\n**bold** and `code` ");
    expect(await read()).toBe("## Steps\n\n1. one\n2. two\n\n**bold** and `code`\n");
  });

  it("takes the structure of pasted HTML and nothing that runs", async () => {
    await load("");
    await paste({
      "text/html":
        "<h1>Title</h1><script>alert(1)</script><p onclick='alert(2)'>Text <b>bold</b> <a href='javascript:alert(3)'>bad</a> " +
        "<a href='https://example.org'>good</a><img src=x onerror='alert(4)'></p><iframe srcdoc='<script>alert(5)</script>'></iframe>" +
        "<p><span style='font-weight:700'>heavy</span></p><table><tr><th>A</th></tr><tr><td style='color:red'>1</td></tr></table><svg onload='alert(6)'></svg>",
      "text/plain": "Title",
    });
    await expect.poll(read).toContain("## Title\n");
    const pasted = await read();
    expect(pasted).toContain("**bold** bad [good](https://example.org)");
    expect(pasted).toContain("**heavy**\n");
    expect(pasted).toContain("| A |\n| --- |\n| 1 |");
    expect(pasted).not.toMatch(/script|onclick|onerror|onload|iframe|alert/i);
    expect(await text().locator("script, iframe, svg, [onclick], [onerror]").count()).toBe(0);
  });

  it.each(["word", "docs"])(
    "takes what %s puts on the clipboard as lists, headings, bold words and tables",
    async (name) => {
      const file = (ending: string) => readFileSync(`web/editor/pasted/${name}.${ending}`, "utf8");
      await load("");
      await paste({ "text/html": file("html"), "text/plain": "Purpose" });
      await expect.poll(read).toBe(file("md"));
    },
  );

  it("says which pictures can't come along, and takes a picture alone as itself", async () => {
    await load("");
    await paste({ "text/html": '<p>Text</p><p><img src="file:///C:/a.png"></p><img src="data:image/png;base64,x">' });
    await page.waitForFunction(() => (window.editor?.failures.length ?? 0) > 0);
    expect(await page.evaluate(() => window.editor?.failures)).toEqual([
      "Couldn't paste 2 images with the text. Copy and paste them one by one.",
    ]);
    await load("");
    await text().focus();
    await page.evaluate(() => {
      const clipboard = new DataTransfer();
      clipboard.setData("text/html", '<meta charset="utf-8"><img src="https://example.org/plan.png">');
      clipboard.items.add(new File([new Uint8Array(12)], "plan.png", { type: "image/png" }));
      document.activeElement?.dispatchEvent(
        new ClipboardEvent("paste", { clipboardData: clipboard, bubbles: true, cancelable: true }),
      );
    });
    await asksWhatItShows();
    await page.keyboard.type("The floor plan");
    await page.keyboard.press("Enter");
    await text().getByRole("img", { name: "The floor plan" }).waitFor();
    await isBackInText();
    await page.keyboard.type(" of it");
    expect(await read()).toBe(`![The floor plan](${imageUrl}) of it\n`);
  });

  it("takes a picture that is dropped where it is dropped, and words for it", async () => {
    await load("First.\n\nSecond.\n");
    const second = await text().locator("p").nth(1).boundingBox();
    await page.evaluate(
      ([x, y]) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([new Uint8Array(11)], "valve.png", { type: "image/png" }));
        const at = { clientX: x ?? 0, clientY: y ?? 0, dataTransfer, bubbles: true, cancelable: true };
        document.elementFromPoint(x ?? 0, y ?? 0)?.dispatchEvent(new DragEvent("drop", at));
      },
      [(second?.x ?? 0) + 1, (second?.y ?? 0) + (second?.height ?? 0) / 2],
    );
    await asksWhatItShows();
    await page.keyboard.type("Not yet");
    await page.keyboard.press("Escape");
    await isBackInText();
    expect(await read()).toBe(`First.\n\n![](${imageUrl})Second.\n`);
    await text().locator("img[src]").click();
    await tool("Describe the image").click();
    await page.getByLabel("What it shows").fill("Valve V2, closed");
    await page.getByRole("dialog").getByLabel("Caption").fill("Turn it slowly");
    await page.getByLabel("Width").fill("5");
    await page.keyboard.press("Enter");
    await page.getByText("Enter a number from 16 to 2000").waitFor();
    await page.getByLabel("Width").fill("24");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(await read()).toBe(`First.\n\n![Valve V2, closed|24](${imageUrl} "Turn it slowly")Second.\n`);
    expect((await text().getByRole("img", { name: "Valve V2, closed" }).boundingBox())?.width).toBe(24);
    await text().getByText("Turn it slowly").waitFor();
    await page.waitForFunction(() => document.activeElement?.getAttribute("role") === "textbox");
    await page.keyboard.press("Enter");
    await page.getByLabel("What it shows").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.waitForFunction(() => document.activeElement?.getAttribute("role") === "textbox");
    await page.keyboard.press("Control+z");
    expect(await read()).toBe(`First.\n\n![](${imageUrl})Second.\n`);
  });

  it("reads pasted plain text as Markdown", async () => {
    await load("");
    await paste({ "text/plain": "### Pasted\n\n- a\n- b\n" });
    expect(await read()).toBe("### Pasted\n\n- a\n- b\n");
  });

  const pasteImage = () =>
    page.evaluate(() => {
      const clipboard = new DataTransfer();
      clipboard.items.add(new File([new Uint8Array(10)], "plan.png", { type: "image/png" }));
      const event = { clipboardData: clipboard, bubbles: true, cancelable: true };
      document.activeElement?.dispatchEvent(new ClipboardEvent("paste", event));
    });

  it("uploads a picture that is pasted or picked, and refuses other files", async () => {
    await load("Here: \n");
    await text().click();
    await page.keyboard.press("End");
    await pasteImage();
    await asksWhatItShows();
    // a click elsewhere closes it, and keeps the typed text
    await page.keyboard.type("Plan");
    await page.getByRole("button", { name: "Before" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(await read()).toContain(`![Plan](${imageUrl})`);
    expect(site.uploads).toContainEqual({ type: "image/png", size: 10 });
    await page
      .locator("input[type=file]")
      .setInputFiles({ name: "x.svg", mimeType: "image/svg+xml", buffer: Buffer.from("<svg/>") });
    await page.waitForFunction(() => (window.editor?.failures.length ?? 0) > 0);
    expect(await page.evaluate(() => window.editor?.failures)).toEqual([
      "x.svg: use a PNG, JPEG, GIF or WebP image, or a PDF",
    ]);
  });

  it.each([
    ["goes on typing", () => page.keyboard.type("xy"), `Here:![](${imageUrl})xy\n`],
    ["moved the caret", () => page.keyboard.press("Control+Home"), `Here:![](${imageUrl})\n`],
    ["went to another field", () => page.getByRole("button", { name: "Before" }).focus(), `Here:![](${imageUrl})\n`],
  ])("keeps an image that is slow to show, and leaves the focus of a user who %s", async (_, goOn, written) => {
    const answer = Promise.withResolvers<void>();
    await page.route(`**${imageUrl}`, (route) => answer.promise.then(() => route.continue()));
    await load("Here:\n");
    await text().click();
    await page.keyboard.press("End");
    await pasteImage();
    const shown = text().locator(`img[src="${imageUrl}"]`);
    await shown.waitFor({ state: "attached" });
    await goOn();
    const focused = await page.evaluateHandle(() => document.activeElement);
    answer.resolve();
    // the editor may draw the image anew, so its element is looked up each time
    await expect.poll(() => shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
    // there is no event for a box that does not open
    await page.waitForTimeout(300);
    expect(await page.getByRole("dialog").count()).toBe(0);
    expect(await focused.evaluate((before) => before === document.activeElement)).toBe(true);
    expect(await read()).toBe(written);
  });

  it("edits the same text as source and back", async () => {
    await load(mixed);
    await tool("Markdown source").click();
    expect(await text().inputValue()).toBe(mixed);
    await text().fill(mixed.replace("## Purpose", "## Scope"));
    await tool("Rich text").click();
    await text().locator("h2", { hasText: "Scope" }).waitFor();
    expect(await read()).toBe(mixed.replace("## Purpose", "## Scope"));
  });

  it("opens a text that can't be parsed as source, with a notice, and keeps it", async () => {
    const deep = `${"> ".repeat(3000)}deep\n`;
    await page.evaluate((value) => window.editor?.load(value), deep);
    // on a busy machine, parsing it until the limit takes long
    await page.getByText("Opened as Markdown source").waitFor({ timeout: 80_000 });
    expect(await text().inputValue()).toBe(deep);
    expect(await read()).toBe(deep);
  });

  it("is left by Escape and Tab, and its bar reached by Alt+F10", async () => {
    await load("- one\n- two\n");
    const second = text().locator("li").nth(1);
    await second.click();
    await page.keyboard.press("Tab");
    await expect.poll(() => read()).toBe("- one\n  - two\n");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("After");
    await text().locator("li").first().click();
    await openBar();
    expect(await page.evaluate(() => document.activeElement?.closest("[role=toolbar]")?.ariaLabel)).toBe("Formatting");
    const first = await page.evaluate(() => document.activeElement?.getAttribute("aria-label"));
    await page.keyboard.press("ArrowRight");
    await page.waitForFunction(
      (before) =>
        document.activeElement?.closest("[role=toolbar]") &&
        document.activeElement.getAttribute("aria-label") !== before,
      first,
    );
    await page.keyboard.press("Escape");
    await bar().waitFor({ state: "detached" });
    expect(await text().evaluate((field) => field === document.activeElement)).toBe(true);
  });

  it("is accessible with every kind of block", async () => {
    await load(mixed);
    await text().locator("h2").dblclick();
    await bar().waitFor();
    expect(await axeFaultsOf(page)).toEqual([]);
  });
});
