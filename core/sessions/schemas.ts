import { z } from "zod";
import { Done, IdParams } from "../contract/parts.ts";
import { schemaGroup } from "../contract/schema.ts";

const SessionRow = z
  .object({
    id: z.string(),
    /** True for the session that sent the request. */
    current: z.boolean(),
    createdAt: z.string(),
    lastSeenAt: z.string(),
    userAgent: z.string().nullable(),
  })
  .meta({ id: "SessionRow" });

export const sessionSchemas = schemaGroup({
  list: { summary: "List your sessions", output: z.array(SessionRow) },
  end: { summary: "End one of your sessions", params: IdParams, output: Done },
  endOthers: { summary: "End all your other sessions", output: Done },
});
