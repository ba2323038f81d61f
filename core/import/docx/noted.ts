import { countAndNoun, type ConversionReport } from "#core/import/markdown/report.ts";

/** Content of a Word file that its text can't have, or has in another form. */
export interface DocxLosses {
  hidden: string[];
  /** Prompts of form fields without a value, such as "Click to enter text". */
  emptyFields: string[];
  /** Instructions of fields whose result only Word can compute. */
  fields: string[];
  /** Words in cells that a merged cell covers. */
  covered: string[];
  /** Formulas as the text writes them. */
  formulas: string[];
  /** The number of embedded files that are not images. */
  embedded: number;
  /** Text that only its format shows in capitals. */
  capitals: string[];
  /** References to footnotes that are missing in the file; `lostLinks` counts links without a target. */
  lostNotes: ("footnote" | "endnote")[];
  lostLinks: number;
}

export function emptyDocxLosses(): DocxLosses {
  const lost = { lostNotes: [], lostLinks: 0 };
  return { hidden: [], emptyFields: [], fields: [], covered: [], formulas: [], embedded: 0, capitals: [], ...lost };
}

export function reportNoted(noted: DocxLosses, report: ConversionReport): void {
  const { hidden, emptyFields, fields, covered, formulas, embedded, capitals } = noted;
  if (hidden.length > 0)
    report.add(
      "hidden",
      `${countAndNoun(hidden.length, "hidden text")} left out, as Word shows it: ${quotedTexts(hidden)}`,
    );
  if (emptyFields.length > 0) {
    const prompts = emptyFields.some(Boolean) ? `: ${quotedTexts(emptyFields)}` : "";
    report.add("form", `${countAndNoun(emptyFields.length, "empty form field")} left out${prompts}`);
  }
  if (fields.length > 0)
    report.add(
      "left-out",
      `${countAndNoun(fields.length, "field")} that only Word can show left out: ${quotedTexts(fields)}`,
    );
  if (covered.length > 0)
    report.add("left-out", `words that a merged cell covers were left out, as in Word: ${quotedTexts(covered)}`);
  if (formulas.length > 0)
    report.add(
      "formula",
      `${countAndNoun(formulas.length, "formula", "formulas")} written as text, check: ${quotedTexts(formulas)}`,
    );
  for (const kind of new Set(noted.lostNotes)) {
    const marks = countAndNoun(noted.lostNotes.filter((one) => one === kind).length, `${kind} mark`);
    report.add("left-out", `${marks} left out: word/${kind}s.xml is missing or lacks the note`);
  }
  if (noted.lostLinks > 0)
    report.add("link", `${countAndNoun(noted.lostLinks, "link")} became text: the file lacks the address`);
  if (embedded > 0) report.add("left-out", `${countAndNoun(embedded, "embedded file")} left out`);
  if (capitals.length > 0) {
    const runs = countAndNoun(capitals.length, "text");
    report.add("styles", `${runs} in capitals by format has the letters that were typed: ${quotedTexts(capitals)}`);
  }
}

/** Quotes the first few texts, each shortened. */
function quotedTexts(texts: readonly string[]): string {
  const known = [...new Set(texts.map((text) => text.replace(/\s+/g, " ").trim()).filter((text) => text !== ""))];
  const shown = known.slice(0, 5).map((text) => `"${text.length > 60 ? `${text.slice(0, 59)}…` : text}"`);
  return shown.join(", ") + (known.length > 5 ? ` and ${known.length - 5} more` : "");
}
