/** The parts of the edit screen that are closed at first. */
import type { Locator, Page } from "playwright-core";

/** Opens the drawer, if it isn't open. */
export async function openProperties(page: Page): Promise<Locator> {
  const drawer = page.getByRole("complementary", { name: "Properties" });
  if (!(await drawer.isVisible())) await page.getByRole("button", { name: "Properties", exact: true }).click();
  await drawer.waitFor();
  return drawer;
}

/** Clicks an item of the menu "More actions". */
export async function chooseAction(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name }).click();
}
