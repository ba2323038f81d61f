import { catalog } from "#core/language/catalog.ts";

export const texts = catalog("proposed-changes", {
  region: "Changes",
  previous: "Previous",
  next: "Next",
  changed: "Changed",
  added: "Added",
  removed: "Removed",
  startAdded: "[added: ",
  startRemoved: "[removed: ",
  end: "] ",
  differs: "Changes",
  loses: "Loses",
  unchanged: "Show {count, number} unchanged {count, plural, one {place} other {places}}",
  place: "Change {at} of {of, number}",
});
