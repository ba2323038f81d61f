import { z } from "zod";

const limits = new Set(["minLength", "maxLength", "minItems", "maxItems", "minimum", "maximum", "format", "pattern"]);
const own = new Set(["$schema", "default", "id"]);

/**
 * The JSON Schema of a zod type without its limits, because older servers refuse unknown keywords. The zod type checks
 * the limits when it parses the answer.
 */
export function plainSchema(type: z.ZodType): Record<string, unknown> {
  return strip(z.toJSONSchema(type)) as Record<string, unknown>;
}

function strip(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(strip);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => {
      if (own.has(key) || limits.has(key)) return [];
      // the names under `properties` are field names of the document, not keywords of JSON Schema
      return key === "properties" ? [[key, mapValues(inner as object, strip)]] : [[key, strip(inner)]];
    }),
  );
}

function mapValues(object: object, map: (value: unknown) => unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]));
}
