import { sentences } from "../language/catalog.ts";

export const refusals = sentences("core.markdown.refusals", {
  htmlNestedTooDeeply: "The HTML is nested too deeply",
  otherFrontMatter: 'Front matter in "{language}" is not read. Write it as YAML between two lines of ---',
  wrongField: "The front matter's {key} must be {wanted}",
  largerThan: "The text is larger than {kibibytes} KiB",
  unprocessable: "The text can't be processed: {why} (line {line})",
  nestedTooDeeply: "The text is nested too deeply",
  notYaml: "Only YAML front matter is read. Write it between two lines of ---",
  ambiguousHtml: "The HTML in the text is nested in a way that browsers don't agree on",
  unreadableFrontMatter: "The front matter {why} (line {line}). Correct that line, or remove the block",
});
