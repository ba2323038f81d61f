import { schemaGroup } from "../contract/schema.ts";
import { SearchPage, SearchQuery } from "./schema.ts";

export const searchSchemas = schemaGroup({
  find: {
    summary: "Search the SOPs that you can see, best first, with the matching step; `showingFor` names corrected words",
    query: SearchQuery,
    output: SearchPage,
  },
});
