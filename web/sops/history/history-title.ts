/** Texts of the button. Other texts of the dialog load with the dialog. */
import { createCatalog } from "#core/language/catalog.ts";

export const titleTexts = createCatalog("sops.history.title", { title: "Version history" });
