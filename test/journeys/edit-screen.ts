/** Opens the parts of the edit screen that are closed at first. */
import type { Locator, Page } from "playwright-core";

/** Opens the drawer, if it isn't open. */
export async function openProperties(page: Page): Promise<Locator> {
  const named = { name: "Properties", exact: true };
  // the drawer is a dialog if the page has no room beside it
  const drawer = page.getByRole("complementary", named).or(page.getByRole("dialog", named));
  if (!(await drawer.isVisible())) await page.getByRole("button", named).click();
  await drawer.waitFor();
  return drawer;
}

/** Clicks an item of the menu "More actions". */
export async function chooseAction(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name }).click();
}
