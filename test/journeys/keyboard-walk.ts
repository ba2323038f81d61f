/** Tabs through a page: the place of each stop, and its faults for users without a pointer. */
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { waitUntilStill } from "./at-rest.ts";

interface Stop {
  /** The role and the name, such as `button "Save SOP"`. */
  what: string;
  faults: string[];
}

/** Checks every stop: it is visible, shows its focus, and no sticky part covers it (WCAG 2.4.7, 2.4.11). */
export function tabThrough(page: Page) {
  const faults: string[] = [];

  async function look(): Promise<string> {
    const stop = await stopOf(page);
    faults.push(...stop.faults.map((fault) => `${new URL(page.url()).pathname}: ${stop.what} ${fault}`));
    return stop.what;
  }
  return {
    faults,
    look,
    /**
     * Waits until the focus is there. Elements that have it on the way don't count as stops, because they may be
     * disappearing.
     */
    async reach(wanted: RegExp): Promise<void> {
      await expect.poll(async () => (await stopOf(page)).what).toMatch(wanted);
      expect(await look()).toMatch(wanted);
    },
    /** Presses Tab until it reaches the wanted stop. @returns the number of presses */
    async tabTo(wanted: RegExp, atMost: number, key = "Tab"): Promise<number> {
      const passed: string[] = [];
      for (let pressed = 1; pressed <= atMost; pressed += 1) {
        await page.keyboard.press(key);
        const what = await look();
        if (wanted.test(what)) return pressed;
        passed.push(what);
      }
      throw new Error(`${wanted} is not among the next ${atMost} stops: ${passed.join(", ")}`);
    },
    /**
     * All stops from here until Tab leaves the page. A stop that repeats is a trap, except in a date field, which has
     * several stops.
     */
    async round(atMost: number, leave: (what: string) => string[] = () => []): Promise<string[]> {
      const stops: string[] = [];
      const seen: string[] = [];
      for (let pressed = 0; pressed < atMost; pressed += 1) {
        for (const key of leave(stops.at(-1) ?? "")) await page.keyboard.press(key);
        await page.keyboard.press("Tab");
        const place = await placeOf(page);
        if (place === null) return stops;
        const what = await look();
        // the browser may start over without stopping at its own controls
        if (/"Skip to content"/.test(what)) return stops;
        const isPartOfDate = what.startsWith("date") && place === seen.at(-1);
        if (!isPartOfDate && seen.includes(place)) throw new Error(`${what} comes again after ${stops.join(", ")}`);
        seen.push(place);
        stops.push(what);
      }
      throw new Error(`Tab does not leave the page within ${atMost}: ${stops.join(", ")}`);
    },
  };
}

/** The element's place in the document; null without a focus. */
async function placeOf(page: Page): Promise<string | null> {
  return page.evaluate(() => {
    const path: number[] = [];
    for (let one = document.activeElement; one && one !== document.body; one = one.parentElement) {
      path.unshift([...(one.parentElement?.children ?? [])].indexOf(one));
    }
    return path.length === 0 ? null : path.join(".");
  });
}

async function stopOf(page: Page): Promise<Stop> {
  // the frame waits until scrolling caused by the focus has ended
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  await waitUntilStill(page);
  return page.evaluate(() => {
    const element = document.activeElement;
    if (!(element instanceof HTMLElement) || element === document.body) return { what: "nothing", faults: [] };
    const label =
      element.getAttribute("aria-label") ??
      (element as HTMLInputElement).labels?.[0]?.textContent ??
      document.getElementById(element.getAttribute("aria-labelledby") ?? "")?.textContent ??
      element.textContent ??
      "";
    const role = element.getAttribute("role") ?? (element as HTMLInputElement).type ?? "";
    const what = `${role || element.tagName.toLowerCase()} "${label.trim().replace(/\s+/g, " ").slice(0, 60)}"`;
    const faults: string[] = [];
    if (label.trim() === "") faults.push("has no name");
    const shows = (one: Element, part?: string) => {
      const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(one, part);
      return outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2 && !outlineColor.endsWith(" / 0)");
    };
    // a heading gets the focus only to be read; a frame, or a whole card, may show the focus of its element
    const isTold = element.tabIndex === -1;
    const frame = element.closest(":focus-within:has(> :focus)");
    // a caret shows the focus of a field that looks like the page
    const hasCaret =
      element instanceof HTMLTextAreaElement && Number.parseFloat(getComputedStyle(element).borderTopWidth) === 0;
    const isShown = hasCaret || shows(element) || shows(element, "::after") || (frame !== null && shows(frame));
    if (!isTold && !isShown) faults.push("does not show that it has the focus");
    const box = element.getBoundingClientRect();
    const [left, top] = [Math.max(box.left, 0), Math.max(box.top, 0)];
    const [right, bottom] = [Math.min(box.right, innerWidth), Math.min(box.bottom, innerHeight)];
    if (right - left < 1 || bottom - top < 1) faults.push("is not on the screen");
    else {
      const points = [0.1, 0.5, 0.9].flatMap((x) => [0.1, 0.5, 0.9].map((y) => [x, y] as const));
      const open = points.filter(([x, y]) => {
        const hit = document.elementFromPoint(left + x * (right - left), top + y * (bottom - top));
        return hit !== null && (element.contains(hit) || hit.closest("label")?.contains(element) === true);
      });
      if (open.length === 0) faults.push("is covered");
    }
    return { what, faults };
  });
}
