/** The caret stays in sight: under no bar and not at the window's edge, even on a slow machine. */
import type { Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import type { TestUser } from "../server.ts";
import { chooseAction } from "./edit-screen.ts";
import { describeJourney } from "./journey.ts";

/** Where the page's own bar ends. */
const barEnd = 52;

describeJourney("the caret", {}, ({ server, open: openPage }) => {
  let ann: TestUser;
  let address: string;

  beforeAll(async () => {
    ann = await (await server().company()).user("manager", { name: "Ann Archer" });
    const body = { title: "Lids", description: "How to open lids.", markdown: "A paragraph.\n\n".repeat(40) };
    const { id } = await ann.client.sops.create({ body });
    address = `/sop/${id}/edit`;
  });

  async function open(width: number, height: number): Promise<Page> {
    const page = await openPage(ann, address);
    await page.setViewportSize({ width, height });
    await page.locator('.ProseMirror[contenteditable="true"]').waitFor();
    return page;
  }

  /** @param line the caret's line in the window */
  function caretOf(page: Page, line: () => Promise<{ top: number; bottom: number }>) {
    const isClear = async (after: string) => {
      const height = page.viewportSize()?.height ?? 0;
      await expect
        .poll(async () => {
          const { top, bottom } = await line();
          return top >= barEnd && bottom <= height - 16 ? "clear" : `${after}: ${top} to ${bottom} of ${height}`;
        })
        .toBe("clear");
    };
    /** As after turning the wheel: the line is in the window, but under the bars. */
    const hide = async () => {
      const { top } = await line();
      await page.evaluate((by) => scrollBy({ top: by, behavior: "instant" }), top - 24);
      expect((await line()).top).toBeLessThan(barEnd);
    };
    const walk = async (down: number) => {
      for (const [key, times] of Object.entries({ ArrowUp: 4, ArrowDown: down })) {
        for (let press = 0; press < times; press += 1) {
          await page.keyboard.press(key);
          await isClear(key);
        }
      }
    };
    return { isClear, hide, walk };
  }

  it.each([
    [1280, 800],
    [390, 700],
  ])("stays clear of the page's bar and of the window's end, %i px wide", async (width, height) => {
    const page = await open(width, height);
    const caret = caretOf(page, () =>
      page.evaluate(() => {
        const at = getSelection()?.focusNode;
        const box = (at instanceof HTMLElement ? at : at?.parentElement)?.getBoundingClientRect();
        return { top: box?.top ?? 0, bottom: box?.bottom ?? 0 };
      }),
    );
    await page.locator(".ProseMirror p").nth(20).click();
    await page.keyboard.press("End");
    await caret.hide();
    await page.keyboard.press("Alt+F10");
    await page.getByRole("button", { name: "Text: turn into" }).click();
    await page.getByRole("menuitemradio", { name: /^Warning/ }).click();
    await page.waitForFunction(() => document.activeElement?.classList.contains("ProseMirror"));
    await caret.isClear("a command");
    const deeds = {
      typing: "x",
      Enter: "Enter",
      slash: "/",
      leaving: "Escape",
      erasing: "Backspace",
      left: "ArrowLeft",
    };
    for (const [deed, key] of Object.entries(deeds)) {
      await caret.hide();
      await page.keyboard.press(key);
      if (deed !== "leaving") await caret.isClear(deed);
    }
    await caret.walk(20);
    // if the caret moves long after its key, the editor takes it for a move without a key
    await page.evaluate(() => {
      addEventListener("keydown", () => {
        const until = performance.now() + 70;
        while (performance.now() < until);
      });
    });
    await caret.walk(8);
  });

  it.each([
    [1280, 800],
    [390, 700],
  ])("stays clear in the Markdown source, too, %i px wide", async (width, height) => {
    const page = await open(width, height);
    await chooseAction(page, "Markdown source");
    const source = page.getByRole("textbox", { name: "Content" });
    await source.evaluate((area: HTMLTextAreaElement) => {
      area.focus();
      const at = area.value.split("\n").slice(0, 40).join("\n").length;
      area.setSelectionRange(at, at);
    });
    const caret = caretOf(page, () =>
      source.evaluate((area: HTMLTextAreaElement) => {
        const above = area.value.slice(0, area.selectionStart).split("\n").length - 1;
        const { lineHeight, paddingTop } = getComputedStyle(area);
        const top = area.getBoundingClientRect().top + parseFloat(paddingTop) + above * parseFloat(lineHeight);
        return { top, bottom: top + parseFloat(lineHeight) };
      }),
    );
    for (const key of ["ArrowLeft", "x", "Enter", "ArrowUp"]) {
      await caret.hide();
      await page.keyboard.press(key);
      await caret.isClear(key);
    }
    await caret.walk(4);
  });
});
