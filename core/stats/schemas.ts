import { z } from "zod";
import { schemaGroup } from "../contract/schema.ts";

export const Stats = z
  .object({ totalSOPs: z.int(), activeTeams: z.int(), pendingApproval: z.int(), aiSuggestions: z.int() })
  .meta({ id: "Stats" });

export const statsSchemas = schemaGroup({ get: { output: Stats } });
