import { sentences } from "#core/language/catalog.ts";

export const refusals = sentences("server.settings.refusals", {
  invalidKey: "Invalid API key",
  noAccess: "The AI provider knows this key but refuses access",
  quota: "The AI provider refuses more requests with this key. Check its quota",
  trouble: "The AI provider has trouble (it answered {status}): try again later",
  otherAnswer: "The AI provider answered {status}. Check its address",
  unreachable: "Can't reach the AI provider. Try again later",
});
