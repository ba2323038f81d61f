/** Opens parts of the edit screen that are closed at first. */
import { screen } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";

/** Opens the Properties drawer unless it is open. Returns its element. */
export async function openProperties(user: UserEvent): Promise<HTMLElement> {
  const button = await screen.findByRole("button", { name: "Properties" });
  if (button.getAttribute("aria-expanded") !== "true") await user.click(button);
  return screen.findByRole("complementary", { name: "Properties" });
}

/** Clicks an item of the menu "More actions". */
export async function chooseAction(user: UserEvent, name: string): Promise<void> {
  await user.click(await screen.findByRole("button", { name: "More actions" }));
  await user.click(await screen.findByRole("menuitem", { name }));
}

/** Switches the editor to Markdown source, because jsdom has no layout for typing in the rich editor. */
export async function showSource(user: UserEvent): Promise<void> {
  const text = await screen.findByRole("textbox", { name: "Content" });
  if (text.tagName !== "TEXTAREA") await chooseAction(user, "Markdown source");
}
