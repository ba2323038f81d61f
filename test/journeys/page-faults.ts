/** What axe finds wrong on a page that has come to rest. */
import AxeBuilder from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { comesToRest } from "./at-rest.ts";

// named, because axe leaves WCAG 2.2's own rules out otherwise
const standards = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const looksFor = { runOnly: { type: "tag" as const, values: standards }, resultTypes: ["violations" as const] };

/**
 * `rule: place`, for every place of every violation of WCAG 2.2 AA.
 * What is found is looked at once more: a toast that came in while axe was reading is half transparent only then.
 */
export async function faultsOf(page: Page): Promise<string[]> {
  const found = await faultsNow(page);
  if (found.length === 0) return found;
  const again = new Set(await faultsNow(page));
  return found.filter((fault) => again.has(fault));
}

async function faultsNow(page: Page): Promise<string[]> {
  await comesToRest(page);
  // a document looked at before has axe already: its source need not be read again
  const hasAxe = page.frames().length === 1 && (await page.evaluate(() => "axe" in globalThis));
  const axe = new AxeBuilder({ page, ...(hasAxe ? { axeSource: "0" } : {}) });
  // results are made in the page itself: one of its own for them, which foreign frames need, costs three times as much
  const { violations } = await axe.options(looksFor).setLegacyMode().analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(" ")}`));
}

/** Switches the theme as the operating system would: a page on which nobody chose one follows. */
export async function useTheme(page: Page, theme: "light" | "dark"): Promise<void> {
  await page.emulateMedia({ colorScheme: theme });
  const isDark = theme === "dark";
  await page.waitForFunction((wanted) => document.documentElement.classList.contains("dark") === wanted, isDark);
}
