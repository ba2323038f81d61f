/** Finds the fields of a body that a call accepts without effect. */
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";

/** A write changes them itself, so a record that was read before always has other values. */
const movingFields = new Set(["contentHash", "control"]);

/** The same, and they only grow: no record that was read has a greater value, or one below 0. */
const growingFields = new Set(["version", "updatedAt", "views"]);

/**
 * Clients send whole records back, with fields that the server owns. A call accepts these fields without effect.
 * @returns fields of which the answer has another value than the body, so that no one takes them for stored
 */
export function ignoredFields(schema: z.ZodType | undefined, body: unknown, answer: unknown): string[] {
  if (!(schema instanceof z.ZodObject) || !isRecord(body) || !isRecord(answer)) return [];
  return Object.entries(schema.shape as Record<string, z.ZodType>).flatMap(([name, field]) => {
    const [sent, stored] = [body[name], answer[name]];
    if (field.meta()?.["readOnly"] !== true)
      return ignoredFields(unwrapOptionalSchema(field), sent, stored).map((inner) => `${name}.${inner}`);
    if (sent === undefined || (movingFields.has(name) && sent !== null)) return [];
    const isIgnored = growingFields.has(name) ? isAbove(sent, stored) : !isDeepStrictEqual(sent, stored ?? null);
    return isIgnored ? [name] : [];
  });
}

function isAbove(sent: unknown, stored: unknown): boolean {
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
