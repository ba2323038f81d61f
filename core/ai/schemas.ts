import { schemaGroup } from "../contract/schema.ts";
import { AiUsageReport, EnhanceAsk, GenerateAsk, GeneratedSop, ImproveAsk, ImprovedText } from "./schema.ts";

export const aiSchemas = schemaGroup({
  generateSop: { body: GenerateAsk, output: GeneratedSop },
  improveSop: { body: ImproveAsk, output: ImprovedText },
  enhanceContent: { body: EnhanceAsk, output: ImprovedText },
  usage: { output: AiUsageReport },
});
