/** Texts on constructs of other tools. */
import { sentences, type MessageWithId } from "../language/catalog.ts";

export const texts = sentences("core.dialects", {
  construct: "{name} {what}",
  without: "{what}, without {omitted}",
  captioned: "{what}, with the caption below",
  kept: "is kept as written",
  keptInCode: "in code is kept as written",
  keptInBlock: "is kept in a block of {dialect} code",
  keptAsCode: "is kept as a block of code",
  alert: "became an alert ({kind})",
  details: "became a details block",
  section: "became a section",
  parts: "became one part for each tab",
  content: "became its content",
  code: "became a block of code",
  codeBlocks: "became its blocks of code",
  math: "became a block of math code",
  image: "became an image",
  htmlImage: "became an image of HTML",
  html: "became HTML",
  comment: "became a comment of HTML",
  rule: "became a line between parts",
  list: "became a list",
  listInItem: "became a list in its item, with less indent",
  codeInItem: "became a block of code in its item, with less indent",
  quote: "became a quote",
  heading: "became a heading",
  table: "became a table, its title above",
  link: "became a link",
  linkTo: "became a link to {address}",
  leadsTo: "leads to {address}",
  anchor: "became the heading's own anchor",
  anchorNamed: "became the heading's own anchor, #{anchor}",
  leftOut: "was left out",
  width: "became the width of the image",
  broken: "isn't complete and stays as text",
  unclosed: "has no closing line and stays as written",
  hidden: "isn't shown in views",
  tagless: "loses its tags in views",
  definitionList: "definition list ({term})",
  fieldList: "field list",
  gridTable: "a table drawn with +---+",
  rewritten: "{name} is written differently",
  protected: "{name} became code, so that it stays as written",
  more: "and {count} more constructs from here on",
});

/** Adds what a mapping leaves out: `icon: bug, id: x`. Empty texts add nothing. */
export function withOmitted(what: MessageWithId, ...omitted: readonly string[]): MessageWithId {
  return omitted.reduce((said, one) => (one === "" ? said : texts.without({ what: said, omitted: one })), what);
}
