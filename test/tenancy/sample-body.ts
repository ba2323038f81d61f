/** Makes a body that a row's schema accepts, from the schema alone, with only the required fields. */
import { z } from "zod";
import type { Row } from "../contract-rows.ts";

interface JsonSchema {
  type?: string | string[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  items?: JsonSchema;
  minItems?: number;
  minimum?: number;
  minLength?: number;
  pattern?: string;
  format?: string;
  default?: unknown;
  $ref?: string;
  $defs?: Record<string, JsonSchema>;
}

/** Fields that a schema can't require: at least one of several fields must be present. */
const besides: Readonly<Record<string, Record<string, unknown>>> = {
  "sops.create": { markdown: "Text\n" },
  "sops.grant": { userId: "somebody" },
  "ai.improveSop": { markdown: "Text\n" },
  "ai.enhanceContent": { markdown: "Text\n" },
  "assistant.improve": { markdown: "Text\n" },
};

/** @throws when the schema refuses the sample: add the missing field to the table above */
export function sampleBody({ name, schema }: Row): Record<string, unknown> | undefined {
  if (!schema.body) return undefined;
  const json = z.toJSONSchema(schema.body, { io: "input", unrepresentable: "any" }) as JsonSchema;
  const body = { ...(sample(json, json.$defs ?? {}) as Record<string, unknown>), ...besides[name] };
  const parsed = schema.body.safeParse(body);
  if (!parsed.success) throw new Error(`${name}: ${JSON.stringify(body)} is no body: ${parsed.error.message}`);
  return body;
}

function sample(schema: JsonSchema, defs: Record<string, JsonSchema>): unknown {
  if (schema.$ref) return sample(defs[schema.$ref.replace("#/$defs/", "")] ?? {}, defs);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  const choice = (schema.anyOf ?? schema.oneOf)?.[0];
  if (choice) return sample(choice, defs);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  switch (type) {
    case "object":
      return Object.fromEntries(
        (schema.required ?? []).map((key) => [key, sample(schema.properties?.[key] ?? {}, defs)]),
      );
    case "array":
      return Array.from({ length: schema.minItems ?? 0 }, () => sample(schema.items ?? {}, defs));
    case "integer":
    case "number":
      return Math.max(schema.minimum ?? 1, 1);
    case "boolean":
      return true;
    default:
      return text(schema);
  }
}

function text({ format, pattern, minLength = 1 }: JsonSchema): string {
  if (pattern?.endsWith("{64}$")) return "a".repeat(64);
  if (format === "email") return "somebody@example.org";
  if (format === "uri") return "https://example.org/";
  if (format === "date-time") return "2026-06-02T08:00:00.000Z";
  if (format === "uuid") return "01970000-0000-7000-8000-000000000001";
  return "sample-text".padEnd(minLength, "x");
}
