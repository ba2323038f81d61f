import { schemaGroup } from "../contract/schema.ts";
import { ServerStatus } from "./schema.ts";

export const statusSchemas = schemaGroup({
  get: {
    summary: "Get the state of the server that answers: its parts, queues, jobs and backups",
    output: ServerStatus,
  },
});
