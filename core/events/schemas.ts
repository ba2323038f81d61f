import { z } from "zod";
import { schemaGroup } from "../contract/schema.ts";

/**
 * `since`: the id of the last event that the client knows, from an earlier answer. A reconnecting browser sends
 * `Last-Event-ID`, which takes precedence.
 */
const EventQuery = z.strictObject({ since: z.string().max(200).optional() });

export const eventSchemas = schemaGroup({
  stream: {
    summary: "Stream server-sent events: changed resources that you see, ids only",
    query: EventQuery,
    output: null,
  },
});
