import { sentences } from "../language/catalog.ts";

export const refusals = sentences("core.markdown.refusals", {
  htmlNestedTooDeeply: "The HTML is nested too deeply",
  otherFrontMatter: 'Front matter in "{language}" is not read. Write it as YAML between two lines of ---',
  wrongField: "{key}: {value} can't be read. Write {wanted}",
  wantedKind:
    "{kind, select, string {a text} integer {a whole number} boolean {true or false} other {a list of texts}}{quotes, select, yes {, without quotes} other {}}",
  largerThan: "The text is larger than {kibibytes} KiB",
  unprocessable:
    "The text can't be processed: {why, select, depth {quotes or lists are nested too deeply} emphasisAtOnce {one paragraph holds too many emphasis marks} emphasis {it holds too many emphasis marks} bracketsAtOnce {one paragraph holds too many brackets} brackets {it holds too many brackets} blocks {it holds too many headings, paragraphs and list items} lists {it holds too many lists, quotes and footnotes} other {its tables hold too many cells}} (line {line})",
  nestedTooDeeply: "The text is nested too deeply",
  notYaml: "Only YAML front matter is read. Write it between two lines of ---",
  ambiguousHtml: "The HTML in the text is nested in a way that browsers don't agree on",
  unreadableFrontMatter:
    "The front matter {why, select, size {is larger than 64 KiB} list {is not a list of `key: value` lines} depth {nests or repeats itself too often} other {can't be read: {said}}} (line {line}). Correct that line, or remove the block",
});
