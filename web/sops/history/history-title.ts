/** Texts of the button. Other texts of the dialog load with the dialog. */
import { catalog } from "#core/language/catalog.ts";

export const titleTexts = catalog("sops.history.title", { title: "Version history" });
