import { z } from "zod";
import { IdParams } from "../contract/parts.ts";
import { schemaGroup } from "../contract/schema.ts";
import { SuggestAsk, Suggestion, SuggestionCreate, SuggestionQuery, SuggestionStatusAsk } from "./schema.ts";

export const suggestionSchemas = schemaGroup({
  suggest: { body: SuggestAsk, output: z.array(Suggestion) },
  list: { query: SuggestionQuery, output: z.array(Suggestion) },
  create: { body: SuggestionCreate, output: Suggestion },
  setStatus: { params: IdParams, body: SuggestionStatusAsk, output: Suggestion },
});
