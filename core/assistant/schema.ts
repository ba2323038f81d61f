/**
 * The assistant that works without AI, by templates and rules. Its answers say so, and it never uses AI, whatever the
 * settings.
 */
import { z } from "zod";
import { requiredCleanTextSchema } from "../contract/parts.ts";
import { limits } from "../limits.ts";
import { Sop } from "../sops/schema.ts";
import { sentences } from "../language/catalog.ts";

const refusals = sentences("core.assistant.schema", {
  prompt: "Say what the SOP is about",
});

export const DraftAsk = z
  .strictObject({
    prompt: requiredCleanTextSchema(refusals.prompt).max(limits.promptCharacters),
    category: z.string().max(200).nullish(),
    /** The id of a template of the company or the library; the best match when absent. */
    template: z.string().max(200).nullish(),
  })
  .meta({ id: "DraftAsk" });

/** The stored draft, its template, and the words of the request that chose the template. */
export const DraftedSop = Sop.extend({
  rules: z.object({ template: z.string(), templateTitle: z.string(), found: z.array(z.string()) }),
}).meta({ id: "DraftedSop" });
export type DraftedSop = z.output<typeof DraftedSop>;
