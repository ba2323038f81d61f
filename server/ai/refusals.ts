import { sentences } from "../../core/language/catalog.ts";

export const refusals = sentences("server.ai.refusals", {
  offInCompany: "AI features are switched off in your company",
  offForYou: "You have switched AI features off in your settings",
  endedBeforeStoring: "The request was ended before the draft was stored",
  tooManyParts: "The text has too many parts for AI. Try a shorter part",
  emptyText: "Add some content first",
  budgetSpent: "{budgetOf} is used up: this takes about {wanted} tokens, {left} of {budget} are left",
  endedBeforeAnswer: "The request was ended before the AI had answered",
});
