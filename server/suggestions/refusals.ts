import { sentences } from "#core/language/catalog.ts";

export const refusals = sentences("server.suggestions.refusals", {
  tooMany: "You have {keptAtMost} suggestions, which is the limit",
  closedAlready: "This suggestion is already closed",
  accepted: "This suggestion was accepted: its draft is there",
  dismissed: "This suggestion was dismissed: take that back first",
});
