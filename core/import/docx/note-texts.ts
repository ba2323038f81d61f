/** Texts of notes on imported Word files. */
import { sentences } from "#core/language/catalog.ts";

export const texts = sentences("core.import.docx", {
  trackedChanges: "{count, plural, one {{count} tracked change} other {{count} tracked changes}} accepted",
  comments: "{count, plural, one {{count} comment} other {{count} comments}} left out",
  letters: "{count, plural, one {{count} step} other {{count} steps}} with letters or Roman numbers became numbers",
  marks: "marks of {count, plural, one {{count} step} other {{count} steps}} became numbers: {marks}",
  headingNumbers:
    "the numbers of {count, plural, one {{count} heading} other {{count} headings}} are not part of the text",
  contents: "the table of contents was left out: the reading view creates its own",
  textBoxes: "the text of {count, plural, one {{count} text box} other {{count} text boxes}} is below its figure",
  drawings:
    "{count, plural, one {{count} chart or diagram} other {{count} charts or diagrams}} left out, with the words below its place: insert an image of it",
  styles: "paragraphs of these styles became plain ones: {styles}",
  fonts: "symbols of these fonts left out: {fonts}. Write them as text",
  image: "an image in a format that browsers don't show was left out",
  namedImage: "an image in a format that browsers don't show was left out: {alt}",
  header: "from the page header: {found}",
  hidden: "{count, plural, one {{count} hidden text} other {{count} hidden texts}} left out, as Word shows it: {texts}",
  forms: "{count, plural, one {{count} empty form field} other {{count} empty form fields}} left out",
  prompts: "{count, plural, one {{count} empty form field} other {{count} empty form fields}} left out: {texts}",
  fields: "{count, plural, one {{count} field} other {{count} fields}} that only Word can show left out: {texts}",
  covered: "words that a merged cell covers were left out, as in Word: {texts}",
  formulas: "{count, plural, one {{count} formula} other {{count} formulas}} written as text, check: {texts}",
  footnote:
    "{count, plural, one {{count} footnote mark} other {{count} footnote marks}} left out: word/footnotes.xml is missing or lacks the note",
  endnote:
    "{count, plural, one {{count} endnote mark} other {{count} endnote marks}} left out: word/endnotes.xml is missing or lacks the note",
  links: "{count, plural, one {{count} link} other {{count} links}} became text: the file lacks the address",
  embedded: "{count, plural, one {{count} embedded file} other {{count} embedded files}} left out",
  capitals:
    "{count, plural, one {{count} text} other {{count} texts}} in capitals by format has the letters that were typed: {texts}",
  listed: "{texts} and {more} more",
});
