import type { Page } from "playwright-core";

/**
 * Elements outside their container or the window: `tag.class: what`, for each. Scrolling parts and text cut with an
 * ellipsis are allowed.
 */
export async function layoutFaultsOf(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    const window_ = document.documentElement.clientWidth;
    const faults: string[] = [];
    const letters = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
    const nameOf = (element: Element) =>
      `${element.tagName.toLowerCase()}${element.id ? `#${element.id}` : ""} "${(element.textContent ?? "").trim().slice(0, 40)}"`;
    const scrolls = (element: Element) => /auto|scroll/.test(getComputedStyle(element).overflowX);
    const isCut = (element: Element) => /hidden|clip/.test(getComputedStyle(element).overflowX);
    const inside = (element: Element, test: (one: Element) => boolean) => {
      for (let one = element.parentElement; one; one = one.parentElement) if (test(one)) return true;
      return false;
    };
    if (document.documentElement.scrollWidth > window_)
      faults.push(`the page is ${document.documentElement.scrollWidth} wide`);
    for (const element of document.body.querySelectorAll("*")) {
      if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
      if (element.closest("svg") !== element && element.closest("svg")) continue;
      const box = element.getBoundingClientRect();
      // elements for screen readers alone are one pixel large
      if (box.width <= 1 || box.height <= 1 || inside(element, scrolls)) continue;
      // a dialog scrolls only vertically
      if (element.matches("[role=dialog] > *") && element.scrollWidth > element.clientWidth + 1)
        faults.push(`${nameOf(element)} is cut by its dialog (${element.scrollWidth} of ${element.clientWidth})`);
      const out = box.right > window_ + 1 || box.left < -1;
      if (out && !inside(element, isCut)) faults.push(`${nameOf(element)} stands out of the window`);
      // badges on buttons, and buttons aligned with text beside them, exceed the edge by less
      const spills = element.scrollWidth > element.clientWidth + letters * 0.65 && element.clientWidth > 1;
      const display = getComputedStyle(element).display;
      if (
        spills &&
        display !== "inline" &&
        getComputedStyle(element).overflowX === "visible" &&
        !inside(element, isCut)
      )
        faults.push(`${nameOf(element)} is wider inside (${element.scrollWidth}) than it is (${element.clientWidth})`);
    }
    return [...new Set(faults)].slice(0, 20);
  });
}

/**
 * The fault of a page that scrolls sideways with letters twice as large by its own style, which doesn't change media
 * queries.
 */
export async function sidewaysFaultsOf(page: Page): Promise<string[]> {
  return await page.evaluate(async () => {
    const root = document.documentElement;
    root.style.fontSize = "200%";
    for (let frame = 0; frame < 3; frame += 1) await new Promise((done) => requestAnimationFrame(done));
    const { scrollWidth, clientWidth } = root;
    root.style.fontSize = "";
    return scrollWidth > clientWidth ? [`the page is ${scrollWidth} wide (${clientWidth})`] : [];
  });
}
