import { Done } from "../contract/parts.ts";
import { schemaGroup } from "../contract/schema.ts";
import { SearchAsk, SearchPage, SearchQuery } from "./schema.ts";

export const searchSchemas = schemaGroup({
  find: {
    summary: "Search the SOPs that you can see, best first, with the matching step; `showingFor` names corrected words",
    query: SearchQuery,
    output: SearchPage,
  },
  ask: {
    summary: "Ask for an SOP that a search didn't find; managers see who asked",
    body: SearchAsk,
    output: Done,
  },
});
