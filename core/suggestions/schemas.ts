import { z } from "zod";
import { IdParams } from "../contract/parts.ts";
import { schemaGroup } from "../contract/schema.ts";
import { SuggestAsk, Suggestion, SuggestionCreate, SuggestionQuery, SuggestionStatusAsk } from "./schema.ts";

export const suggestionSchemas = schemaGroup({
  suggest: {
    summary: "Suggest missing SOPs: found by rules, ranked and extended by AI",
    body: SuggestAsk,
    output: z.array(Suggestion),
  },
  list: { summary: "List your suggestions, newest first", query: SuggestionQuery, output: z.array(Suggestion) },
  create: { summary: "Add a suggestion of your own", body: SuggestionCreate, output: Suggestion },
  setStatus: {
    summary: "Accept a suggestion (creates a draft), dismiss it, or undo a dismissal",
    params: IdParams,
    body: SuggestionStatusAsk,
    output: Suggestion,
  },
});
