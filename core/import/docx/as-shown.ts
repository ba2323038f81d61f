import { isDocumentRightToLeft } from "#core/export/direction.ts";
import { replaceControls } from "./controls.ts";
import { removeDanglingReferences, type ReferenceTargets } from "./dangling.ts";
import { replaceFields } from "./fields.ts";
import { replaceFormulas } from "./formulas.ts";
import type { DocxLosses } from "./noted.ts";
import { replaceRuns } from "./runs.ts";
import type { StyleBook } from "./styles.ts";
import { completeTables } from "./table-grid.ts";
import { parseXml, descendantElements, writeXml, xmlText } from "./xml-tree.ts";

/**
 * Rewrites a part of a Word file so that the converter reads what Word shows: values of form fields, checkboxes,
 * symbols, formulas, and cells in their columns. Hidden content is removed and added to `noted`.
 * @param options.fromRight true for a right-to-left document; undefined leaves columns in the order of the file
 */
export function xmlAsShownByWord(
  xml: string,
  { styles, targets, fromRight }: { styles: StyleBook; targets: ReferenceTargets; fromRight: boolean | undefined },
  noted: DocxLosses,
): string {
  if (xml === "") return xml;
  const root = parseXml(xml);
  removeDanglingReferences(root, targets, noted);
  replaceControls(root, noted);
  replaceFields(root, noted);
  replaceFormulas(root, noted);
  replaceRuns(root, styles, noted);
  completeTables(root, styles, fromRight, noted);
  noted.embedded += descendantElements(root, ["w:altChunk", "w:control", "w:subDoc"]).length;
  return writeXml(root);
}

/** Returns the words of a part, to detect its language and direction. */
export function wordsInDocumentPart(xml: string): string {
  return descendantElements(parseXml(xml), ["w:p"])
    .map((paragraph) => descendantElements(paragraph, ["w:t"], ["w:p"]).map(xmlText).join(""))
    .join("\n");
}

/** Tells whether a document is read from right to left, by the same rule as in all views. */
export function isReadFromRight(words: string, lang: string | undefined): boolean {
  return isDocumentRightToLeft({ lang: lang ?? null, title: "", markdown: words });
}
