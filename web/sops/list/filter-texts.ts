import { catalog } from "#core/language/catalog.ts";

export const filterTexts = catalog("sops.list.filter", {
  owner: "Owner",
  filters: "Filters",
  filter: "Filter",
  sort: "Sort",
  gridView: "Grid view",
  listView: "List view",
  tag: "Tag",
  team: "Team",
  lang: "Language",
  all: { owner: "All owners", tag: "All tags", team: "All teams", lang: "All languages" },
  without: "Without {name}",
  reviewDue: "Review due",
  mine: "My SOPs",
  removeFilter: "Remove the filter {name}",
  allCategories: "All Categories",
  lastUpdated: "Last Updated",
});

export const sortTexts = catalog("sops.list.sort", {
  relevance: "Best match",
  "-updated": "Updated, newest first",
  updated: "Updated, oldest first",
  title: "Title, A to Z",
  "-title": "Title, Z to A",
  number: "Number, lowest first",
  "-number": "Number, highest first",
  status: "Status, drafts first",
  "-status": "Status, archived first",
  category: "Category, A to Z",
  "-category": "Category, Z to A",
  owner: "Owner, A to Z",
  "-owner": "Owner, Z to A",
});
