import type { Rule } from "../rule.ts";
import { idUnique } from "./id-unique.ts";
import { internalLink } from "./internal-link.ts";
import { reviewOverdue } from "./review-overdue.ts";
import { imageAlt } from "./image-alt.ts";
import { dates } from "./dates.ts";
import { emptySection } from "./empty-section.ts";
import { headingIncrement } from "./heading-increment.ts";
import { noH1 } from "./no-h1.ts";
import { placeholder } from "./placeholder.ts";
import { procedureSteps } from "./procedure-steps.ts";
import { required } from "./required.ts";
import { secret } from "./secret.ts";
import { serverOwned } from "./server-owned.ts";

/** Every rule there is; presets choose among them. */
export const rules: readonly Rule[] = [
  required,
  serverOwned,
  idUnique,
  reviewOverdue,
  dates,
  noH1,
  headingIncrement,
  emptySection,
  procedureSteps,
  internalLink,
  imageAlt,
  placeholder,
  secret,
];
