/** Faults that axe finds on a page at rest. */
import AxeBuilder from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { isNightly } from "../nightly.ts";
import { waitUntilStill } from "./at-rest.ts";

// each standard is listed, because axe skips WCAG 2.2's own rules by default
const standards = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const all = { type: "tag" as const, values: standards };
/** The rules of those standards about colors. No other rule depends on the page's theme. */
export const colors = { type: "rule" as const, values: ["color-contrast", "link-in-text-block"] };

type Rules = typeof all | typeof colors;

/** `rule: place`, for every place that breaks WCAG 2.2 AA. The nightly run also checks the colors of the dark theme. */
export async function faultsOf(page: Page): Promise<string[]> {
  const found = await axeFaultsOf(page);
  if (!isNightly) return found;
  await useTheme(page, "dark");
  const dark = await axeFaultsOf(page, colors);
  await useTheme(page, "light");
  return [...found, ...dark.map((fault) => `dark: ${fault}`)];
}

/**
 * The faults in the page's current theme. A second check drops temporary faults: a toast is half transparent while it
 * appears.
 */
export async function axeFaultsOf(page: Page, looksFor: Rules = all): Promise<string[]> {
  const found = await faultsNow(page, looksFor);
  if (found.length === 0) return found;
  const again = new Set(await faultsNow(page, looksFor));
  return found.filter((fault) => again.has(fault));
}

async function faultsNow(page: Page, runOnly: Rules): Promise<string[]> {
  await waitUntilStill(page);
  // axe stays in the document after a check, so its source need not be loaded again
  const hasAxe = page.frames().length === 1 && (await page.evaluate(() => "axe" in globalThis));
  const axe = new AxeBuilder({ page, ...(hasAxe ? { axeSource: "0" } : {}) });
  // axe runs in the page itself: a separate page, needed only for foreign frames, takes three times as long
  const { violations } = await axe
    .options({ runOnly, resultTypes: ["violations"] })
    .setLegacyMode()
    .analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(" ")}`));
}

/** Switches the theme as the operating system would: the page follows if its user chose none. */
export async function useTheme(page: Page, theme: "light" | "dark"): Promise<void> {
  await page.emulateMedia({ colorScheme: theme });
  const isDark = theme === "dark";
  await page.waitForFunction((wanted) => document.documentElement.classList.contains("dark") === wanted, isDark);
}
