/**
 * Finds the fields of a body that a call accepts without effect. Clients send whole records back, with fields that only
 * the server changes.
 */
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";

/** Fields that each write changes. A record that was read before always has other values. */
const moving = new Set(["contentHash", "control"]);
/** Fields that each write changes and that only grow. No record that was read has a greater value. */
const growing = new Set(["version", "updatedAt", "views"]);

/**
 * @returns read-only fields whose value in the answer differs from the body, so that the client knows they weren't
 * stored
 */
export function ignoredFields(schema: z.ZodType | undefined, body: unknown, answer: unknown): string[] {
  if (!(schema instanceof z.ZodObject) || !isRecord(body) || !isRecord(answer)) return [];
  return Object.entries(schema.shape as Record<string, z.ZodType>).flatMap(([name, field]) => {
    const [sent, stored] = [body[name], answer[name]];
    if (field.meta()?.["readOnly"] !== true)
      return ignoredFields(bare(field), sent, stored).map((inner) => `${name}.${inner}`);
    if (sent === undefined || sent === null || moving.has(name)) return [];
    return growing.has(name) ? (isAbove(sent, stored) ? [name] : []) : isDeepStrictEqual(sent, stored) ? [] : [name];
  });
}

function isAbove(sent: unknown, stored: unknown): boolean {
  return typeof sent === "number" ? !(sent <= Number(stored)) : String(sent) > String(stored);
}

function bare(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodNullable
    ? bare(schema.unwrap() as z.ZodType)
    : schema;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
