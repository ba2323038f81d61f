import { catalog } from "#core/language/catalog.ts";

/** What of the assistant every screen shows; the rest loads with the panel. */
export const placeTexts = catalog("ai.place", {
  title: "AI Assistant",
  active: "AI Assistant Active",
  open: "Open AI Assistant",
});
