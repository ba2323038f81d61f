import type { Page } from "playwright-core";

/**
 * Text larger than its box: `tag "text": what`, for each. Scrolling text, and text cut with an ellipsis or after some
 * lines, is allowed.
 */
export async function textFaultsOf(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    const faults = new Set<string>();
    for (const element of document.body.querySelectorAll<HTMLElement>("*")) {
      const hasText = [...element.childNodes].some(
        (node) => node.nodeType === Node.TEXT_NODE && (node.textContent ?? "").trim() !== "",
      );
      if (!hasText || !element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
      const { width, height } = element.getBoundingClientRect();
      const style = getComputedStyle(element);
      // elements for screen readers alone are one pixel large
      if (width <= 1 || height <= 1 || style.display.startsWith("inline") || style.display === "contents") continue;
      if (/auto|scroll/.test(style.overflowY) || style.webkitLineClamp !== "none") continue;
      const name = `${element.tagName.toLowerCase()} "${(element.textContent ?? "").trim().slice(0, 40)}"`;
      // letters can exceed a tight line by a little
      const slack = Number.parseFloat(style.fontSize) * 0.4;
      if (element.scrollHeight > element.clientHeight + slack) {
        faults.add(`${name} is higher inside (${element.scrollHeight}) than it is (${element.clientHeight})`);
      }
      const isEllipsis = style.textOverflow === "ellipsis" && style.overflowX !== "visible";
      if (!isEllipsis && style.overflowX !== "visible" && element.scrollWidth > element.clientWidth + 1) {
        faults.add(`${name} is cut (${element.scrollWidth} of ${element.clientWidth})`);
      }
    }
    return [...faults].slice(0, 20);
  });
}

/**
 * Sets the text size like the browser's own setting. The breakpoints between narrow and wide screens follow it (WCAG
 * 1.4.4).
 */
export async function useTextSize(page: Page, pixels: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Page.setFontSizes", { fontSizes: { standard: pixels } });
  await session.detach();
  await page.waitForFunction((size) => getComputedStyle(document.documentElement).fontSize === `${size}px`, pixels);
  await settle(page);
}

/**
 * Adds space between letters, words and lines, as some readers need it (WCAG 1.4.12). @returns a function that removes
 * it
 */
export async function useWideText(page: Page): Promise<() => Promise<void>> {
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(
      "* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-bottom: 2em !important }",
    );
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  });
  await settle(page);
  return async () => {
    await page.evaluate(() => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.slice(0, -1);
    });
    await settle(page);
  };
}

/** Waits for transitions. With reduced motion, each ends by the next frame. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let frame = 0; frame < 3; frame += 1) await new Promise((done) => requestAnimationFrame(done));
  });
}
