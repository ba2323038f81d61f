import { sentences } from "#core/language/catalog.ts";

export const refusals = sentences("server.categories.refusals", {
  unknownTeam: "This team is not known",
  uncategorized: "This name means “no category”. Choose another one",
  nameTaken: "This category name is taken",
});
