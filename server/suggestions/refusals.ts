import { sentences } from "../../core/language/catalog.ts";

export const refusals = sentences("server.suggestions.refusals", {
  tooMany: "You have {keptAtMost} suggestions, which is the limit",
  closedAlready: "This suggestion is already closed",
});
