import { z } from "zod";
import { schemaGroup } from "../contract/schema.ts";

/**
 * Query of the event stream. `since` is the id of the last event that the client got; the header `Last-Event-ID` of a
 * reconnecting browser takes precedence.
 */
const EventQuery = z.strictObject({ since: z.string().max(200).optional() });

export const eventSchemas = schemaGroup({
  stream: {
    summary: "Stream server-sent events: changed resources that you see, ids only",
    query: EventQuery,
    output: null,
  },
});
