import { sentences } from "../../core/language/catalog.ts";

export const refusals = sentences("server.companies.refusals", {
  ownCompany: "You can't suspend or delete your own company",
  slugTaken: "This slug is taken",
  tooMany: "A company has at most {most, number} {what}",
  cursor: "The cursor is not valid: start again without it",
});
