/** Beside the button: the dialog's other texts load with it. */
import { catalog } from "#core/language/catalog.ts";

export const titleTexts = catalog("sops.history.title", { title: "Version history" });
