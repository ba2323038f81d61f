/** The smallest body that a row of the contract accepts, from its schema. */
import { z } from "zod";
import { unknownId, type Row } from "./contract-rows.ts";
import { password } from "./server.ts";

export const person = { username: "somebody", name: "Some Body", password };

/** Bodies of rows with a rule over several fields, or over the meaning of a field. */
const ruled: Readonly<Record<string, unknown>> = {
  "sops.grant": { userId: unknownId, permission: "read" },
  "ai.improveSop": { markdown: "Open it.\n" },
  "ai.enhanceContent": { markdown: "Open it.\n", enhancementType: "formatting" },
  "assistant.improve": { markdown: "Open it.\n" },
  "companyUsers.create": person,
  "adminUsers.create": person,
};

const samples: readonly unknown[] = [true, 1, "x", unknownId, password, "a@b.example", "0".repeat(64)];

function leastValue(schema: z.ZodType): unknown {
  if (schema.safeParse(undefined).success) return undefined;
  if (schema instanceof z.ZodObject) {
    const fields = Object.entries(schema.shape as Record<string, z.ZodType>);
    return Object.fromEntries(fields.map(([name, field]) => [name, leastValue(field)]));
  }
  if (schema instanceof z.ZodArray) return [leastValue(schema.element as z.ZodType)];
  const choices = schema instanceof z.ZodEnum ? schema.options : samples;
  return choices.find((value) => schema.safeParse(value).success);
}

export function leastBody({ name, schema: { body } }: Row): unknown {
  if (!body) return {};
  const least = ruled[name] ?? leastValue(body) ?? {};
  const { error } = body.safeParse(least);
  if (error) throw new Error(`${name}: its smallest body needs an entry in test/least-bodies.ts: ${error.message}`);
  return least;
}
