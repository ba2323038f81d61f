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
  list: { summary: "Where the asker is signed in", output: z.array(SessionRow) },
  end: { summary: "End one of the asker's sessions", params: IdParams, output: Done },
  endOthers: { summary: "End all of the asker's sessions but this one", output: Done },
});
