import { schemaGroup } from "../contract/schema.ts";
import { AiUsageReport, EnhanceAsk, GenerateAsk, GeneratedSop, ImproveAsk, ImprovedText } from "./schema.ts";

export const aiSchemas = schemaGroup({
  generateSop: {
    summary: "A draft from a prompt, checked by the rules and stored; as a stream with `Accept: text/event-stream`",
    body: GenerateAsk,
    output: GeneratedSop,
  },
  improveSop: {
    summary: "Proposals for a text: for what the rules find, and for clarity; nothing is stored",
    body: ImproveAsk,
    output: ImprovedText,
  },
  enhanceContent: {
    summary: "Proposals for a text: clarity, formatting (rules alone) or detail; nothing is stored",
    body: EnhanceAsk,
    output: ImprovedText,
  },
  usage: { summary: "Tokens spent, budgets, and an estimate", output: AiUsageReport },
});
