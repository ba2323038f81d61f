import { z } from "zod";
import { IdParams } from "../contract/parts.ts";
import { schemaGroup } from "../contract/schema.ts";

const TemplateRow = z
  .object({
    id: z.string(),
    title: z.string(),
    description: z.string(),
    tags: z.array(z.string()),
    readTime: z.int(),
    steps: z.int(),
  })
  .meta({ id: "TemplateRow" });

const Template = TemplateRow.extend({ markdown: z.string(), content: z.string() }).meta({ id: "Template" });

export const templateSchemas = schemaGroup({
  list: { summary: "List templates", output: z.array(TemplateRow) },
  get: { summary: "Get a template with its text", params: IdParams, output: Template },
});
