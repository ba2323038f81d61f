/** Texts of notes on imported Markdown and HTML. */
import { sentences } from "#core/language/catalog.ts";

export const texts = sentences("core.import.markdown", {
  byteOrderMark: "the byte order mark was dropped",
  lineEndings: "line endings became LF",
  unicode: "letters with combining marks became single characters (NFC)",
  toml: "the +++ header was read as front matter",
  openHeader: "the header without an opening --- was read as front matter",
  comments:
    "left out, because front matter has no comments: {first}{more, plural, =0 {} one { and {more} more comment} other { and {more} more comments}}",
  titleFromName: 'the title is "{title}", from the file name',
  titleFromHeading: 'the title is "{title}", from the first heading',
  description: "the description is the beginning of the text",
  cut: "the {key} was cut to {most} characters; x-{key} holds all of it",
  jump: "a new list begins, because the numbers go from {from} to {to}",
  uncounted: "the text has {to} after {from}, but views count on",
  lettersKept:
    "{count, plural, one {{count} lettered step} other {{count} lettered steps}} became bullets that begin with their letters, because the text cites letters",
  letters: "{count, plural, one {{count} lettered step} other {{count} lettered steps}} became numbered",
  joined:
    '{count, plural, one {{count} line such as "{name}" joins} other {{count} lines such as "{name}" join}} the line above in views: end the line above with \\ to keep them apart',
  labels:
    '{more, plural, =0 {"{first}" stays} one {"{first}" and {more} more label like it stay} other {"{first}" and {more} more labels like it stay}} text, each on a line of its own',
  labelsOnly:
    '{more, plural, =0 {"{first}" stays} one {"{first}" and {more} more label like it stay} other {"{first}" and {more} more labels like it stay}} text: no list has such a number',
  firstHeading: "the first heading is the title and was dropped from the text",
  lowered: "all headings went one level down, because level 1 is the title",
  renamed: "{key} became {own}",
  extra: "kept under x-: {key}",
  whole: "imported whole, because no heading level occurs more than once",
  fileTitle: 'the file\'s title "{name}" was left out: the title of each part is its heading',
  ownKeys: "left out, because each part is an SOP of its own: {keys}",
  detected: "the language is {name} ({tag}), by the words of the text",
  detectedTag: "the language is {tag}, by the words of the text",
  stated: "the language is {tag}, as the page says",
  macro: "{count, plural, one {{count} macro {name}} other {{count} macros {name}}}: only the text was kept",
  encoding: "the text is not UTF-8 and was read as {name}",
  tables:
    "{count, plural, one {{count} table} other {{count} tables}} with merged cells, lists or paragraphs in cells kept as HTML",
});
