import { catalog } from "#core/language/catalog.ts";

/** The assistant's texts that every screen needs; the others load with the panel. */
export const placeTexts = catalog("ai.place", {
  title: "AI Assistant",
  active: "AI Assistant Active",
  open: "Open AI Assistant",
});
