import { sentences } from "#core/language/catalog.ts";

export const refusals = sentences("server.acknowledgements.refusals", {
  inactiveUser: "Choose only active users of your company",
  unknownTeam: "Not every team chosen is known",
  notAsked: "You are not asked to confirm that you have read this SOP",
  notPublished: "This SOP has no published version",
  otherVersion: "Version {version} is published now. Read that version",
});
