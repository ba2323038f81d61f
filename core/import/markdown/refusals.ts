import { sentences } from "../../language/catalog.ts";

export const refusals = sentences("core.import.markdown.refusals", {
  headingOfLevelOne: "The text's markup can't be written without a heading of level 1: use headings from ## on",
  noFrontMatter:
    "line {line} names an SOP, but the front matter isn't read. Begin the file with --- and end the front matter with ---",
  headingOfLevelOneInFile: "Its markup can't be written without an H1. Use headings from ## on and import it again",
  notText: "It is not a text file. Import Markdown saved as UTF-8",
  emptyFile: "The file is empty. Write something into it or leave it out",
  unreadableHeader: "The +++ header can't be read (line {line}). Write it as YAML between two lines of ---",
  unread: "{key}: {value} can't be read. {advice}",
  lookalike: "{key}: the key looks like {meant}. Write {meant}",
  writeNumber: "Write a number such as SOP-0042, or remove the line",
  writeId: "Write the id that the server gave, or remove the line",
  writeLanguage: "Write a language such as en or de-CH",
  writeKind:
    "Write {kind, select, string {a text} integer {a whole number from 1 on} boolean {true or false} other {a list of texts}}{quotes, select, yes {, without quotes} other {}}",
  writeCategory: "Write the name of one category",
  atLine: "line {line}: {message}",
  both: "{first}. {second}",
});
