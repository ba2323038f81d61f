import { z } from "zod";
import { schemaGroup } from "../contract/schema.ts";

export const Person = z.object({ id: z.string(), name: z.string() }).meta({ id: "Person" });

export const userSchemas = schemaGroup({ list: { output: z.array(Person) } });
