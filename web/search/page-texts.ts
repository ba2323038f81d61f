export const pageTexts = {
  mostWords: "No SOP has all these words. These have most.",
  didYouMean: "Did you mean",
  notAll: "Not all of your words",
  alsoCalled: "Your glossary also says",
  near: "Titles like this",
  gap: "Managers see searches without results.",
  write: "Write this SOP",
  filter: "Filter",
  clear: "Clear filters",
  none: "None",
  all: (count: number, name: string) => `All ${count} ${name}`,
  many: { status: "statuses", category: "categories", owner: "owners", tag: "tags", team: "teams" },
} as const;
