import { sentences } from "#core/language/catalog.ts";

export const refusals = sentences("server.render.refusals", {
  largeHtml: "The HTML is larger than {mebibytes} MiB",
  stopped: "The text workers were stopped. Try again in a moment",
  costlyText:
    "The text can't be processed: it takes too much {what, select, time {time} other {memory}}. Shorten or simplify it",
  nestedTooDeeply: "The text is nested too deeply",
});
