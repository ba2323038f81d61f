import { catalog } from "#core/language/catalog.ts";

export const texts = catalog("palette", {
  title: "Search and commands",
  field: "Search SOPs, or type a command…",
  here: "On this page",
  goTo: "Go to",
  actions: "Commands",
  recent: "Recent SOPs",
  categories: "Categories",
  sops: "SOPs",
  none: "Nothing found for “{query}”",
  searching: "Searching…",
  sheetTitle: "Keyboard shortcuts",
  sheetText: "Single keys work while you are not typing.",
  singleKeys: "Shortcuts without {mod}",
  singleKeysHint: "Turn off if you use speech input or an assistive device.",
});

/** Names of screens that have no shortcut. */
export const adminTexts = catalog("palette.admin", {
  companies: "Companies",
  server: "Server",
  company: "Company settings",
  users: "Users",
  teams: "Teams",
  confirmations: "Read confirmations",
  audit: "Audit Log",
});
