import { z } from "zod";
import { schemaGroup } from "../contract/schema.ts";

/** `since`: an event that the asker knows of; a browser that comes back sends `Last-Event-ID`, which counts more. */
const EventQuery = z.strictObject({ since: z.coerce.number().int().min(0).max(1e15).optional() });

export const eventSchemas = schemaGroup({
  stream: {
    summary: "Stream server-sent events: changed resources of your company, ids only",
    query: EventQuery,
    output: null,
  },
});
