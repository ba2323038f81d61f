import { schemaGroup } from "../contract/schema.ts";
import { SearchPage, SearchQuery } from "./schema.ts";

export const searchSchemas = schemaGroup({
  find: {
    summary: "SOPs the asker may see, best first, with the step that answers; `showingFor` when a slip was corrected",
    query: SearchQuery,
    output: SearchPage,
  },
});
