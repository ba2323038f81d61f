import { catalog } from "#core/language/catalog.ts";

export const textNoteTexts = catalog("sops.text-note", {
  saved: "The saved text differs from what you wrote",
  pasted: "Part of the pasted text changed",
  otherKinds: "and {count, number} other kinds of changes",
  show: "Show",
  showAll: "Show all",
  close: "Close",
  more: "{count, number} more",
});
