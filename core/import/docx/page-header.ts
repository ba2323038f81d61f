import { textsOf } from "./xml-tags.ts";

export interface HeaderFacts {
  number?: string;
  revision?: string;
  effective?: string;
}

const numberLabel =
  /\b(?:(?:document|doc|sop|procedure|policy|form)\.?[ \t]*(?:no|nr|num|number|id|#)\b\.?|(?:document|doc|sop|procedure)(?=[ \t]*:))[ \t]*[:#.]?[ \t]*([A-Z]{1,8}[-_/ ]?\d[\w./-]*|\d[\w./-]*)/i;
const bareNumber = /\b([A-Z]{2,6}[-_]\d{2,}(?:[-.]\w+)*)\b/;
const revisionLabel =
  /\b(?:revision|rev|version|ver|issue)\b\.?[ \t]*(?:no|nr|number|#)?\.?[ \t]*[:#]?[ \t]*(\d+(?:\.\d+)*|[A-Z])\b/i;
const effectiveLabel = /\b(?:effective|valid)(?:[ \t]+(?:date|from))?[ \t]*[:]?[ \t]*(\d{4}-\d\d-\d\d)\b/i;

/** Number, revision and date from a page header or footer of Word, because many files have them only there. */
export function readPageHeader(parts: readonly string[]): HeaderFacts {
  // line breaks after cells and paragraphs keep a label from taking its neighbor's value
  const text = parts
    .map((xml) => textsOf(xml.replace(/<\/w:p>|<w:tab\/>/g, "<w:t>\n</w:t>"), "w:t").join(""))
    .join("\n")
    .replace(/:\s*\n+\s*/g, ": ")
    .replace(/[ \t\u00a0]+/g, " ");
  const number = numberLabel.exec(text)?.[1] ?? bareNumber.exec(text)?.[1];
  const revision = revisionLabel.exec(text)?.[1];
  const effective = effectiveLabel.exec(text)?.[1];
  return {
    ...(number !== undefined && { number: number.trim() }),
    ...(revision !== undefined && { revision }),
    ...(effective !== undefined && { effective }),
  };
}
