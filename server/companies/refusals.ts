import { sentences } from "#core/language/catalog.ts";

export const refusals = sentences("server.companies.refusals", {
  ownCompany: "You can't suspend or delete your own company",
  slugTaken: "This slug is taken",
  tooMany:
    "A company has at most {most, number} {what, select, categories {categories} invitations {open invitations} other {teams}}",
  moreUsers: "The company has {used} users: maxUsers can't be less",
  moreSops: "The company has {used} SOPs: maxSOPs can't be less",
  moreBytes: "The company has {used} bytes of images and PDFs: maxBytes can't be less",
  serverMinimum: "This server asks for at least {least} characters",
  witness: "Choose the confirmed address of an active user",
  severalUsers: "Your company has {active} active users. Only a single user can approve their own work",
  logo: "Upload the logo as an image first",
  fullOfTexts: "The company stores {used} of texts. With its images and PDFs, the limit is {limit}",
});
