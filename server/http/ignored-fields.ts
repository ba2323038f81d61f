/** Finds fields in a request's body that had no effect. */
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";

/** Fields that each write changes, so the value in a record that was read earlier always differs. */
const movingFields = new Set(["contentHash", "control"]);

/** Fields that each write can increase. A record that was read earlier has no larger value, and none below 0. */
const growingFields = new Set(["version", "updatedAt", "views"]);

/**
 * Returns the fields of the body that differ from the answer. Clients may send whole records back, and fields that the
 * server sets are ignored. The result tells the client which values weren't stored.
 */
export function ignoredFields(schema: z.ZodType | undefined, body: unknown, answer: unknown): string[] {
  if (!(schema instanceof z.ZodObject) || !isRecord(body) || !isRecord(answer)) return [];
  return Object.entries(schema.shape as Record<string, z.ZodType>).flatMap(([name, field]) => {
    const [sent, stored] = [body[name], answer[name]];
    if (field.meta()?.["readOnly"] !== true)
      return ignoredFields(unwrapOptionalSchema(field), sent, stored).map((inner) => `${name}.${inner}`);
    if (sent === undefined || (movingFields.has(name) && sent !== null)) return [];
    const isIgnored = growingFields.has(name) ? isLarger(sent, stored) : !isDeepStrictEqual(sent, stored ?? null);
    return isIgnored ? [name] : [];
  });
}

function isLarger(sent: unknown, stored: unknown): boolean {
  return typeof sent === "number" ? sent < 0 || !(sent <= Number(stored)) : String(sent) > String(stored);
}

function unwrapOptionalSchema(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodNullable
    ? unwrapOptionalSchema(schema.unwrap() as z.ZodType)
    : schema;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
