import { z } from "zod";
import { schemaGroup } from "../contract/schema.ts";

/**
 * `since`: the last event that the client knows. A reconnecting browser sends `Last-Event-ID`, which takes precedence.
 */
const EventQuery = z.strictObject({ since: z.coerce.number().int().min(0).max(1e15).optional() });

export const eventSchemas = schemaGroup({
  stream: {
    summary: "Stream server-sent events: changed resources of your company, ids only",
    query: EventQuery,
    output: null,
  },
});
