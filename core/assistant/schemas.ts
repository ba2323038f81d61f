import { z } from "zod";
import { ImproveAsk, ImprovedText } from "../ai/schema.ts";
import { schemaGroup } from "../contract/schema.ts";
import { Suggestion } from "../suggestions/schema.ts";
import { DraftAsk, DraftedSop } from "./schema.ts";

export const assistantSchemas = schemaGroup({
  draft: { summary: "A draft from the template whose words fit best; no AI", body: DraftAsk, output: DraftedSop },
  improve: {
    summary: "A text with every safe fix made, and what the rules still find; no AI, nothing is stored",
    body: ImproveAsk,
    output: ImprovedText,
  },
  suggest: { summary: "SOPs that seem to be missing, each with its evidence; no AI", output: z.array(Suggestion) },
});
