import { schemaGroup } from "../contract/schema.ts";
import { SearchPage, SearchQuery } from "./schema.ts";

export const searchSchemas = schemaGroup({ find: { query: SearchQuery, output: SearchPage } });
