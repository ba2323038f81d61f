import { sentences } from "../../../core/language/catalog.ts";

export const refusals = sentences("server.sops.import.refusals", {
  unknownCategory: "The category {name} is not known: create it, or add --create-categories",
  costlyFile: "{name}: it takes too much time or memory: import it in smaller parts",
  inFile: "{name}: {message}",
  unknownKind: "only .md, .mdx, .docx, .html and .zip files are read",
  emptyFile: "the file is empty",
  largeFile: "the file is larger than {mebibytes} MiB",
  longPath: "its path is longer than {pathAtMost} characters",
  onTerminalOnly: "{what} can't be imported in the browser: use `sop import` on the terminal",
  cannotCreateCategories: "You don't have permission to create categories: leave --create-categories out",
  dryRunOnly: "A document without its text can only be asked about with dryRun",
});
