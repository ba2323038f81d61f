import { sentences } from "#core/language/catalog.ts";

export const refusals = sentences("server.sops.edit.refusals", {
  otherVersion: "Someone else saved version {version}",
  unknownCategory: "This category is not known",
  numberTaken: "{label} is taken: choose another number, or leave it out for the next one",
  contentNeeded: "Content is required",
  twoTexts: "content and markdown are different new texts. Send one of them",
  longText: "An SOP's text can have at most {kibibytes} KiB",
  fullCompany: "The company can have {most} SOPs: {free} free, {needed} needed. Archive some or raise the limit",
  hasFixedNumber: "{label} keeps its number: only a draft that was never published can get another one",
  linkedNumber: "Other SOPs link to {label}: remove these links before you change its number",
  inactiveOwner: "This owner is not an active user of the company",
  unknownTeam: "This team is not known",
  findings:
    "The text does not keep your company's rules yet. {line, plural, =0 {} other {Line {line}: }}{finding}{more, plural, =0 {} other { (and {more} more)}}",
  numberTakenField: "{label} is taken. Choose another number",
});
