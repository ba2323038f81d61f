import { z } from "zod";
import { IdParams } from "../contract/parts.ts";
import { schemaGroup } from "../contract/schema.ts";
import { SuggestAsk, Suggestion, SuggestionCreate, SuggestionQuery, SuggestionStatusAsk } from "./schema.ts";

export const suggestionSchemas = schemaGroup({
  suggest: {
    summary: "SOPs that seem to be missing: what the rules find, ranked and added to by the AI",
    body: SuggestAsk,
    output: z.array(Suggestion),
  },
  list: { summary: "The asker's suggestions, newest first", query: SuggestionQuery, output: z.array(Suggestion) },
  create: { summary: "Keep a suggestion of one's own", body: SuggestionCreate, output: Suggestion },
  setStatus: {
    summary: "Accept (makes a draft), dismiss, or take a dismissal back",
    params: IdParams,
    body: SuggestionStatusAsk,
    output: Suggestion,
  },
});
