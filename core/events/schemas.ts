import { schemaGroup } from "../contract/schema.ts";

export const eventSchemas = schemaGroup({ stream: { output: null } });
