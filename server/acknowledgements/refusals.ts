import { sentences } from "#core/language/catalog.ts";

export const refusals = sentences("server.acknowledgements.refusals", {
  inactiveUser: "Choose only active users of your company",
  unknownTeam: "Not every team chosen is known",
});
