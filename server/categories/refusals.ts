import { sentences } from "#core/language/catalog.ts";

export const refusals = sentences("server.categories.refusals", {
  unknownTeam: "This team is not known",
  nameTaken: "This category name is taken",
});
