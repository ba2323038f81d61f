import { z } from "zod";
import { ImproveAsk, ImprovedText } from "../ai/schema.ts";
import { schemaGroup } from "../contract/schema.ts";
import { Suggestion } from "../suggestions/schema.ts";
import { DraftAsk, DraftedSop } from "./schema.ts";

export const assistantSchemas = schemaGroup({
  draft: { body: DraftAsk, output: DraftedSop },
  improve: { body: ImproveAsk, output: ImprovedText },
  suggest: { output: z.array(Suggestion) },
});
