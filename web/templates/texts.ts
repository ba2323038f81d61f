import { catalog } from "#core/language/catalog.ts";

export const texts = catalog("templates", {
  open: "From template",
  title: "Start from a template",
  replaces: "This replaces the text you have here.",
  search: "Search templates…",
  own: "Your company's templates",
  library: "Template library",
  loading: "Loading templates",
  failed: "Couldn't load the templates.",
  none: "No matching templates.",
  minutes: "min read",
  error: "Error",
  unread: "Couldn't open the template. Try again.",
});
