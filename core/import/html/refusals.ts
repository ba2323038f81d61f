import { sentences } from "../../language/catalog.ts";

export const refusals = sentences("core.import.html.refusals", {
  tooLarge: "it is larger than {most} MiB",
  empty: "the file is empty",
  nestedTooDeeply: "it is nested too deeply",
  noText: "it holds no text",
  notText: "it is not text (it holds NUL bytes)",
  unknownEncoding: "it is written in {name}, which is not read: save it as UTF-8",
});
