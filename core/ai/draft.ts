import { z } from "zod";

const line = (longest: number) => z.string().trim().min(1).max(longest);
const lines = (most: number, longest: number) => z.array(line(longest)).max(most);

/**
 * The model's output: the content of an SOP as plain text, piece by piece. The model never writes Markdown or HTML,
 * because `writeDraft` does the layout. Every key is required, because servers that enforce schemas have no optional
 * keys.
 */
export const SopDraft = z.object({
  title: line(200),
  description: line(500),
  purpose: line(2000),
  scope: line(2000),
  roles: z.array(z.object({ name: line(100), duty: line(500) })).max(20),
  equipment: lines(40, 300),
  warnings: z
    .array(z.object({ level: z.enum(["note", "notice", "caution", "warning", "danger"]), text: line(1000) }))
    .max(20),
  sections: z
    .array(
      z.object({
        heading: line(200),
        steps: z
          .array(
            z.object({
              text: line(1000),
              role: line(100).nullable(),
              warning: line(500).nullable(),
              verify: line(500).nullable(),
              sub: lines(20, 500),
            }),
          )
          .min(1)
          .max(60),
      }),
    )
    .min(1)
    .max(20),
  records: z.array(z.object({ name: line(200), place: line(200), retention: line(100) })).max(20),
  references: z.array(z.object({ sourceId: z.string().max(100).nullable(), label: line(300) })).max(30),
  assumptions: lines(30, 500),
  tags: lines(8, 40),
});

export type SopDraft = z.output<typeof SopDraft>;
export type DraftSection = SopDraft["sections"][number];
export type DraftStep = DraftSection["steps"][number];
