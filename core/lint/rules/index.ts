import type { Rule } from "../rule.ts";
import { actor } from "./actor.ts";
import { beforeStep } from "./before-step.ts";
import { dates } from "./dates.ts";
import { emptySection } from "./empty-section.ts";
import { filename } from "./filename.ts";
import { headingIncrement } from "./heading-increment.ts";
import { idFormat } from "./id-format.ts";
import { idUnique } from "./id-unique.ts";
import { imageAlt } from "./image-alt.ts";
import { imperative } from "./imperative.ts";
import { internalLink } from "./internal-link.ts";
import { linkedSop } from "./linked-sop.ts";
import { marksSeenAsText } from "./marks-as-text.ts";
import { maxDepth } from "./max-depth.ts";
import { measurable } from "./measurable.ts";
import { noH1 } from "./no-h1.ts";
import { oneAction } from "./one-action.ts";
import { passive } from "./passive.ts";
import { placeholder } from "./placeholder.ts";
import { procedureSteps } from "./procedure-steps.ts";
import { rawHtml } from "./raw-html.ts";
import { readability } from "./readability.ts";
import { required } from "./required.ts";
import { retention } from "./retention.ts";
import { reviewOverdue } from "./review-overdue.ts";
import { secret } from "./secret.ts";
import { sectionOrder } from "./section-order.ts";
import { sections } from "./sections.ts";
import { serverOwned } from "./server-owned.ts";
import { signalWord } from "./signal-word.ts";
import { stepLength } from "./step-length.ts";
import { terms } from "./terms.ts";
import { undefinedAcronym } from "./undefined-acronym.ts";
import { unevenRows } from "./uneven-rows.ts";
import { vague } from "./vague.ts";

/** All rules. Presets choose among them. */
export const rules: readonly Rule[] = [
  required,
  serverOwned,
  idFormat,
  idUnique,
  filename,
  dates,
  reviewOverdue,
  sections,
  sectionOrder,
  emptySection,
  noH1,
  headingIncrement,
  procedureSteps,
  imperative,
  oneAction,
  stepLength,
  maxDepth,
  actor,
  measurable,
  vague,
  beforeStep,
  signalWord,
  passive,
  readability,
  terms,
  undefinedAcronym,
  internalLink,
  linkedSop,
  imageAlt,
  unevenRows,
  marksSeenAsText,
  retention,
  placeholder,
  secret,
  rawHtml,
];
