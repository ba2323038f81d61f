/** The parts of the edit screen that are closed at first. */
import { screen } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";

/** Opens the drawer, if it isn't open. */
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

/** Shows the text as Markdown source: jsdom has no layout for the rich editor to type in. */
export async function showSource(user: UserEvent): Promise<void> {
  const text = await screen.findByRole("textbox", { name: "Content" });
  if (text.tagName !== "TEXTAREA") await chooseAction(user, "Markdown source");
}
