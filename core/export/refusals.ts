import { sentences } from "../language/catalog.ts";

export const refusals = sentences("core.export.refusals", {
  largeImages:
    "The document's images have {together, number} million pixels together; the limit is {limit, number} million. Use smaller images, or export it as HTML",
  cannotSet:
    "The document can't be set: it {why, select, time {takes too long} memory {takes too much memory} other {breaks the typesetter}}. {way, select, split {Split it into several SOPs} images {Use fewer or smaller images} other {Shorten or simplify it}}, or export it as HTML",
  tooLarge: "The document is too large to be set",
  noFont:
    "No font has {shown}{more, plural, =0 {} other { and # more}}{count, plural, =0 {} one { in line {lines}} other { in lines {lines}}}",
});
