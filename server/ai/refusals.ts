import { sentences } from "#core/language/catalog.ts";

export const refusals = sentences("server.ai.refusals", {
  offInCompany: "AI features are switched off in your company",
  offForYou: "You have switched AI features off in your settings",
  endedBeforeStoring: "The request was ended before the draft was stored",
  tooManyParts: "The text has too many parts for AI. Try a shorter part",
  emptyText: "Add some content first",
  budgetSpent:
    "{length, select, day {Your AI budget for today} other {Your company's AI budget for this month}} is used up: this takes about {wanted} tokens, {left} of {budget} are left",
  endedBeforeAnswer: "The request was ended before the AI had answered",
  companyLimit: "The company can have {most} SOPs: 0 free, 1 needed. Archive some or raise the limit",
  longText: "The text has {characters} characters, the AI takes {most}: give it a part of it",
  otherCalls: "These are not AI calls of yours that brought an answer",
  othersRunning: "AI requests of yours or your company are running: wait for one of them",
});
