import { z } from "zod";
import { Done, IdParams } from "../contract/parts.ts";
import { schemaGroup } from "../contract/schema.ts";

export const SessionRow = z
  .object({
    id: z.string(),
    /** The session that asks. */
    current: z.boolean(),
    createdAt: z.string(),
    lastSeenAt: z.string(),
    userAgent: z.string().nullable(),
  })
  .meta({ id: "SessionRow" });

export const sessionSchemas = schemaGroup({
  list: { output: z.array(SessionRow) },
  end: { params: IdParams, output: Done },
  endOthers: { output: Done },
});
