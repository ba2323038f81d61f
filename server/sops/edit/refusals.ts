import { sentences } from "../../../core/language/catalog.ts";

export const refusals = sentences("server.sops.edit.refusals", {
  otherVersion: "Someone else saved version {version}",
  unknownCategory: "This category is not known",
  numberTaken: "{label} is taken: choose another number, or leave it out for the next one",
  contentNeeded: "Content is required",
  longText: "An SOP's text can have at most {kibibytes} KiB",
  fullCompany: "The company can have {most} SOPs: {free} free, {needed} needed. Archive some or raise the limit",
});
