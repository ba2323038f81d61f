import { sentences } from "../../core/language/catalog.ts";

export const refusals = sentences("server.search.refusals", {
  stopping: "The server is stopping",
  stopped: "The search stopped: try again in a moment",
});
