import { catalog } from "#core/language/catalog.ts";

export const texts = catalog("search", {
  label: "Search SOPs, procedures, or topics...",
  results: "Search results",
  searching: "Searching…",
  none: "Nothing found for “{query}”",
  noneHint: "Try fewer or different words.",
  failed: "Search didn't respond.",
  again: "Try Again",
  all: "Show all results for “{query}”",
  showingFor: "Showing results for",
  behind: "The server's disk is full. The latest changes may be missing.",
  step: "Step {number}",
  under: "Under",
  missing: "Missing:",
  count: "{count, plural, one {# result} other {# results}}",
});
