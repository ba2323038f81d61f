import { sentences } from "#core/language/catalog.ts";

export const refusals = sentences("server.search.refusals", {
  stopping: "The server is stopping. Try again in a moment",
  stopped: "The search stopped. Try again in a moment",
  longerWords: "Use words of at least 3 letters, without addresses and long numbers",
  unwritable: "The search index can't be written. Ask the server's operator",
});
