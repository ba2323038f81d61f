import { z } from "zod";
import { ImproveAsk, ImprovedText } from "../ai/schema.ts";
import { schemaGroup } from "../contract/schema.ts";
import { Suggestion } from "../suggestions/schema.ts";
import { DraftAsk, DraftedSop } from "./schema.ts";

export const assistantSchemas = schemaGroup({
  draft: { summary: "Create a draft from the best template, without AI", body: DraftAsk, output: DraftedSop },
  improve: {
    summary: "Apply every safe fix to a text and list the remaining issues, without AI; nothing is stored",
    body: ImproveAsk,
    output: ImprovedText,
  },
  suggest: { summary: "Suggest missing SOPs with evidence, without AI", output: z.array(Suggestion) },
});
