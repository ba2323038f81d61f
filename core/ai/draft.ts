import { z } from "zod";

const requiredLineSchema = (longest: number) => z.string().trim().min(1).max(longest);
const listOfLinesSchema = (most: number, longest: number) => z.array(requiredLineSchema(longest)).max(most);

/**
 * The model's output: the content of an SOP as plain text, piece by piece. The model never writes Markdown or HTML,
 * because `draftAsMarkdown` does the layout. Every key is required, because servers that enforce schemas have no
 * optional keys.
 */
export const SopDraft = z.object({
  title: requiredLineSchema(200),
  description: requiredLineSchema(500),
  purpose: requiredLineSchema(2000),
  scope: requiredLineSchema(2000),
  roles: z.array(z.object({ name: requiredLineSchema(100), duty: requiredLineSchema(500) })).max(20),
  equipment: listOfLinesSchema(40, 300),
  warnings: z
    .array(
      z.object({ level: z.enum(["note", "notice", "caution", "warning", "danger"]), text: requiredLineSchema(1000) }),
    )
    .max(20),
  sections: z
    .array(
      z.object({
        heading: requiredLineSchema(200),
        steps: z
          .array(
            z.object({
              text: requiredLineSchema(1000),
              role: requiredLineSchema(100).nullable(),
              warning: requiredLineSchema(500).nullable(),
              verify: requiredLineSchema(500).nullable(),
              sub: listOfLinesSchema(20, 500),
            }),
          )
          .min(1)
          .max(60),
      }),
    )
    .min(1)
    .max(20),
  records: z
    .array(
      z.object({ name: requiredLineSchema(200), place: requiredLineSchema(200), retention: requiredLineSchema(100) }),
    )
    .max(20),
  references: z.array(z.object({ sourceId: z.string().max(100).nullable(), label: requiredLineSchema(300) })).max(30),
  assumptions: listOfLinesSchema(30, 500),
  tags: listOfLinesSchema(8, 40),
});

export type SopDraft = z.output<typeof SopDraft>;
export type DraftSection = SopDraft["sections"][number];
export type DraftStep = DraftSection["steps"][number];
