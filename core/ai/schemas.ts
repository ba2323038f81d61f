import { schemaGroup } from "../contract/schema.ts";
import { AiUsageReport, EnhanceAsk, GenerateAsk, GeneratedSop, ImproveAsk, ImprovedText } from "./schema.ts";

export const aiSchemas = schemaGroup({
  generateSop: {
    summary: "Create a draft from a prompt, checked by the rules; as a stream with `Accept: text/event-stream`",
    body: GenerateAsk,
    output: GeneratedSop,
  },
  improveSop: {
    summary: "Propose changes to a text that fix issues and improve clarity; nothing is stored",
    body: ImproveAsk,
    output: ImprovedText,
  },
  enhanceContent: {
    summary: "Propose changes to a text: clarity, formatting (without AI) or detail; nothing is stored",
    body: EnhanceAsk,
    output: ImprovedText,
  },
  usage: { summary: "Get AI tokens used, budgets and an estimated cost", output: AiUsageReport },
});
