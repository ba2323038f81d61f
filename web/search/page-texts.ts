import { catalog } from "#core/language/catalog.ts";

export const pageTexts = catalog("search.page", {
  mostWords: "No SOP has all these words. These have most.",
  didYouMean: "Did you mean",
  notAll: "Not all of your words",
  alsoCalled: "Your glossary also says",
  near: "Titles like this",
  gap: "Managers see searches without results.",
  write: "Write this SOP",
  ask: "Ask for this SOP",
  asked: "Managers see your request.",
  askFailed: "Couldn't send your request. Try again.",
  filter: "Filter",
  clear: "Clear filters",
  none: "None",
  all: "All {count, number} {name}",
  many: { status: "statuses", category: "categories", owner: "owners", tag: "tags", team: "teams", lang: "languages" },
});
