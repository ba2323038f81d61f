import { sentences } from "#core/language/catalog.ts";

export const refusals = sentences("server.teams.refusals", {
  ownerStays: "The owner stays in the team: give it another owner first",
  nameTaken: "This team name is taken",
  inactiveUser: "This is not an active user of the company",
});
