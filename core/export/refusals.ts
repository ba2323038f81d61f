import { sentences } from "../language/catalog.ts";

export const refusals = sentences("core.export.refusals", {
  largeImages:
    "The document's images have {together} pixels together; the limit is {limit}. Use smaller images, or export it as HTML",
  cannotSet: "The document can't be set: it {why}. {way}, or export it as HTML",
  tooLarge: "The document is too large to be set",
  noFont:
    "No font has {shown}{more, plural, =0 {} other { and # more}}{count, plural, =0 {} one { in line {lines}} other { in lines {lines}}}",
});
