import type { ConversionReport } from "#core/import/markdown/report.ts";
import { untranslated, type Sentence } from "#core/language/catalog.ts";
import { texts } from "./note-texts.ts";

/** Content of a Word file that is lost in Markdown, or written in another form. */
export interface DocxLosses {
  /** Texts that Word doesn't show. */
  hidden: string[];
  /**
   * Prompts or names of form fields without a value, such as "Click to enter text"; empty texts for fields without
   * either.
   */
  emptyFields: string[];
  /** Instructions of fields whose result only Word can compute. */
  fields: string[];
  /** Words in cells that a merged cell covers. */
  covered: string[];
  /** Formulas as the text writes them. */
  formulas: string[];
  /** The number of embedded files that are not images. */
  embedded: number;
  /** Text that Word shows in capitals only by its format. */
  capitals: string[];
  /** References to footnotes that are missing in the file. `lostLinks` counts links without a target. */
  lostNotes: ("footnote" | "endnote")[];
  lostLinks: number;
}

export function emptyDocxLosses(): DocxLosses {
  const lost = { lostNotes: [], lostLinks: 0 };
  return { hidden: [], emptyFields: [], fields: [], covered: [], formulas: [], embedded: 0, capitals: [], ...lost };
}

export function reportDocxLosses(noted: DocxLosses, report: ConversionReport): void {
  const { hidden, emptyFields, fields, covered, formulas, embedded, capitals, lostLinks } = noted;
  const countAndTexts = (found: readonly string[]) => ({ count: found.length, texts: quotedTexts(found) });
  if (hidden.length > 0) report.add("hidden", texts.hidden(countAndTexts(hidden)));
  if (emptyFields.some(Boolean)) report.add("form", texts.prompts(countAndTexts(emptyFields)));
  else if (emptyFields.length > 0) report.add("form", texts.forms({ count: emptyFields.length }));
  if (fields.length > 0) report.add("left-out", texts.fields(countAndTexts(fields)));
  if (covered.length > 0) report.add("left-out", texts.covered({ texts: quotedTexts(covered) }));
  if (formulas.length > 0) report.add("formula", texts.formulas(countAndTexts(formulas)));
  for (const kind of new Set(noted.lostNotes))
    report.add("left-out", texts[kind]({ count: noted.lostNotes.filter((one) => one === kind).length }));
  if (lostLinks > 0) report.add("link", texts.links({ count: lostLinks }));
  if (embedded > 0) report.add("left-out", texts.embedded({ count: embedded }));
  if (capitals.length > 0) report.add("styles", texts.capitals(countAndTexts(capitals)));
}

/** Quotes the first few texts, each shortened. */
function quotedTexts(found: readonly string[]): Sentence {
  const known = [...new Set(found.map((text) => text.replace(/\s+/g, " ").trim()).filter((text) => text !== ""))];
  const shown = known.slice(0, 5).map((text) => `"${text.length > 60 ? `${text.slice(0, 59)}…` : text}"`);
  const more = known.length - shown.length;
  return more > 0 ? texts.listed({ texts: shown.join(", "), more }) : untranslated(shown.join(", "));
}
